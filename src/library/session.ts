// The package's entry point for pages: `latchkey/session`. It needs no UI framework.

import { observeSession as observe, type SessionObserver } from '../bridge/session/observer.ts';
import { watchBoard } from '../bridge/session/page-board.ts';
import { findOwnArea } from './own-area.ts';

export { connectFeature, type FeatureConnection } from '../bridge/fetch/connect-feature.ts';
export { FetchRefused, type RefusalReason } from '../bridge/fetch/errors.ts';
export type { Board, BoardView, SessionObserver } from '../bridge/session/observer.ts';
export type { Command, Reply } from '../session/commands.ts';
export type { Diagnosis, Problem, ProblemCode } from '../session/problem.ts';
export type {
  AccountHint,
  Claims,
  ClaimValue,
  Profile,
  View,
  SignedIn,
  SignedOut,
  SigningIn,
} from '../session/view.ts';

/**
 * Observes the session on a page of the extension: who is signed in, whether a sign-in is running, and what has failed.
 * Call it once on each page. It tells the worker that a page is open. In a content script, it can't see the session.
 */
export function observeSession(): SessionObserver {
  return observe({ board: watchBoard(findOwnArea()) });
}
