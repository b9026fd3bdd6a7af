// A fake of the session observer: shows the view that a test sets, and records the commands that it is sent.

import type { Board, BoardView, SessionObserver } from '../../src/bridge/session/observer.ts';
import type { Command, Reply } from '../../src/session/commands.ts';
import { ada } from '../../tools/gallery/faces.ts';
import { signedOut, toSignedIn, type View, type SigningIn } from '../../src/session/view.ts';

export { ada, signedOut };

export const adaSignedIn = toSignedIn(ada, Date.parse('2030-01-01T09:41:00Z'));

/** A sign-in that began with no one signed in. */
export const signingIn: SigningIn = {
  status: 'signing-in',
  providerId: 'demo',
  order: { type: 'sign-in', providerId: 'demo' },
  attempt: 'attempt-1',
  startedAtMs: Date.parse('2030-01-01T12:00:00Z'),
  before: signedOut,
};

/** A board with `session` and one provider, `demo`. */
export function toBoard(session: View, changes: Partial<Board> = {}): Board {
  const providers = [{ id: 'demo', name: 'Demo provider', endsSession: false }];
  return { version: 1, session, providers, managed: false, ...changes };
}

/** A view of that board. */
export function toView(session: View, changes?: Partial<Board>): BoardView {
  return { status: 'ready', board: toBoard(session, changes) };
}

export class FakeObserver implements SessionObserver {
  readonly commands: Command[] = [];
  readonly #listeners = new Set<() => void>();
  #view: BoardView;
  /** The reply to each command. Accepts every command by default. */
  reply: (command: Command) => Reply | Promise<Reply> = () => ({ ok: true });

  constructor(view: BoardView) {
    this.#view = view;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** Changes the view and calls the listeners. */
  show(view: BoardView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }

  readonly getSnapshot = () => this.#view;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly allowHosts = () => Promise.resolve(true);

  readonly report = () => Promise.resolve('The report of a test.');

  readonly send = (command: Command): Promise<Reply> => {
    this.commands.push(command);
    return Promise.resolve(this.reply(command));
  };
}
