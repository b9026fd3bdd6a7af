// The parts that the session's files share: what surrounds the session, the store in the middle, and the ways to tokens.

import type { BoardStore, StorageArea } from '../../bridge/session/board.ts';
import type { ProviderId } from '../../session/view.ts';
import type { Journal } from '../journal.ts';
import type { InForce } from '../policy/policy.ts';
import type { AuthWindow } from '../provider/window.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import type { SignIn } from '../provider/run-flow.ts';
import type { SignOutWindow, SignOutMark } from './sign-out.ts';
import type { ReopenPopup, Toolbar } from '../toolbar.ts';
import type { Records } from '../record/records.ts';
import type { DeviceSignIn } from './device.ts';
import type { OauthTokens } from './oauth-tokens.ts';
import type { ReadSession } from './usable.ts';
import type { Revocations } from './revocations.ts';
import type { ViewStore } from './store.ts';
import type { Tasks } from '../work.ts';

/** The parts that the files of this folder work with. Each takes the ones it needs. */
export interface SessionParts {
  readonly store: ViewStore;
  readonly revocations: Revocations;
  /** The sign-in of this build: in the window, or with a code. */
  readonly signIn: SignIn;
  /** The one that never shows a code. */
  readonly windowSignIn: SignIn;
  /** The one with a code; missing if no provider is used with one. */
  readonly device?: DeviceSignIn | undefined;
  /** Begins to read what a start needs. */
  readonly readAhead: () => void;
  readonly boards: BoardStore;
  readonly readSession: ReadSession;
  /** The providers that are offered now; the map's content changes with the policy. */
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  /** Every provider that is known, offered or not. */
  readonly knownProviders: () => readonly ProviderAccess[];
  /** Resolves with the settings in force, as soon as they are known. */
  readonly policy: () => Promise<InForce>;
  /** The settings in force. */
  readonly inForce: () => InForce;
  readonly signOutMark: SignOutMark;
  readonly memory: StorageArea;
  readonly authWindow: AuthWindow;
  readonly records: Records;
  readonly signOutWindow: SignOutWindow;
  readonly toolbar: Toolbar;
  readonly reopenPopup: ReopenPopup;
  readonly journal: Journal;
  readonly tasks: Tasks;
  /** Missing in a build whose configuration needs none. */
  readonly oauthTokens?: OauthTokens | null | undefined;
  /** Puts off work that no one is waiting for. */
  readonly whenIdle: () => Promise<void>;
  readonly nowMs: () => number;
}
