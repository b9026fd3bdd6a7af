// A fake session observer: changes the session as the worker would, without a provider or the extension API.

import type { BoardView, SessionObserver } from '../bridge/session/observer.ts';
import type { Command, Reply } from '../session/commands.ts';
import type { Problem } from '../session/problem.ts';
import { settledSession, transition, type Session } from '../session/session.ts';

/**
 * Starts with `view`. Refuses commands with `refusal`, if there is one: only `show-window` if it is about the window, and
 * otherwise every command. A sign-in starts but never completes.
 */
export class FaceObserver implements SessionObserver {
  #view: BoardView;
  readonly #refusal: Problem | null;
  readonly #listeners = new Set<() => void>();

  constructor(view: BoardView, refusal: Problem | null = null) {
    this.#view = view;
    this.#refusal = refusal;
  }

  readonly getSnapshot = (): BoardView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly send = (command: Command): Promise<Reply> => {
    const isRefused = this.#refusal?.code !== 'sign-in-page-failed' || command.type === 'show-window';
    if (this.#refusal !== null && isRefused) return Promise.resolve({ ok: false, problem: this.#refusal });
    if (this.#view.status === 'ready') {
      const { board } = this.#view;
      const session = apply(command, board.session, board.providers[0]?.id ?? '');
      this.#view = { status: 'ready', board: { ...board, session } };
      for (const listener of this.#listeners) listener();
    }
    return Promise.resolve({ ok: true });
  };

  readonly allowHosts = (): Promise<boolean> => Promise.resolve(true);

  readonly report = (): Promise<string> => Promise.resolve('The report of a face in the gallery.');
}

/** The session after the command. */
function apply(command: Command, session: Session, firstProviderId: string): Session {
  const settled = settledSession(session);
  const signIn = (providerId: string) =>
    transition(session, {
      type: 'sign-in-started',
      providerId,
      request: { type: 'sign-in', providerId },
      attempt: Date.now(),
      startedAtMs: Date.now(),
    });
  switch (command.type) {
    case 'sign-in':
      return signIn(command.providerId);
    case 'use-another-account':
      return signIn(
        (settled.status === 'signed-in' ? settled.profile.providerId : settled.lastAccount?.providerId) ??
          firstProviderId,
      );
    case 'cancel':
      return session.status === 'signing-in'
        ? transition(session, {
            type: 'sign-in-failed',
            attempt: session.attempt,
            problem: { code: 'cancelled', detail: null },
          })
        : session;
    case 'sign-out':
      return transition(session, {
        type: 'signed-out',
        providerSession:
          command.everywhere && settled.status === 'signed-in'
            ? { providerId: settled.profile.providerId, status: 'ending' }
            : null,
      });
    case 'open':
    case 'prepare':
    case 'show-window':
    case 'request-scope':
      return session;
    default:
      return command satisfies never;
  }
}
