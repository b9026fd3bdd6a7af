// Compares the outcome with the last request of the person or a page: it must not be that of another flow.

import { requestScope } from '../../../src/bridge/session/request-scope.ts';
import { createBoardStore } from '../../../src/bridge/session/board.ts';
import type { BoardView } from '../../../src/bridge/session/observer.ts';
import type { Command, Reply } from '../../../src/session/commands.ts';
import { settledSession, type ProviderId, type Session } from '../../../src/session/session.ts';
import type { FakeStorageArea } from '../fake-browser.ts';
import type { WorkerLife } from './gates.ts';
import type { Held } from './held.ts';
import type { Ledger } from './ledger.ts';
import type { Wishes } from './wishes.ts';

/** The requests so far, and what the provider's pages were told. */
export interface Asked {
  /** The sign-ins that the board has shown as cancelled, by the time of their start. */
  readonly cancelled: Set<number>;
  /** The scopes that a page was told it has. */
  readonly granted: string[];
  /** The sign-ins that the board has shown, by the time of their start. */
  readonly signIns: Map<number, Wanted>;
  /** The board before. */
  shown: Session | null;
}

interface Wanted {
  readonly providerId: ProviderId;
  /** The person who is to allow more scope; null in any other sign-in. */
  readonly subject: string | null;
  /** The worker that began it. */
  readonly life: WorkerLife | null;
}

export function createAsked(): Asked {
  return {
    cancelled: new Set(),
    granted: [],
    signIns: new Map(),
    shown: null,
  };
}

/** Notes the board after a write. */
export function noteBoard(asked: Asked, session: Session | null, life: WorkerLife | null): void {
  const { shown } = asked;
  const isCancelled =
    session !== null &&
    session.status !== 'signing-in' &&
    shown?.status === 'signing-in' &&
    session.problem?.code === 'cancelled';
  if (session?.status === 'signing-in' && !asked.signIns.has(session.startedAtMs)) {
    const { providerId, request, before } = session;
    const isForScope = request.type === 'request-scope' && before.status === 'signed-in';
    const subject = isForScope ? before.profile.subject : null;
    asked.signIns.set(session.startedAtMs, { providerId, subject, life });
  }
  if (isCancelled) asked.cancelled.add(shown.startedAtMs);
  asked.shown = session;
}

/** Whether this worker runs the sign-in that the board shows. A dead worker's sign-in doesn't block a new one. */
export function isRunBy(life: WorkerLife, { signIns }: Asked, session: Session | null): boolean {
  return session?.status === 'signing-in' && signIns.get(session.startedAtMs)?.life === life;
}

/** A page asks for a scope as a feature does, and waits for its own result. */
export async function askForScope(
  asked: Asked,
  scope: string,
  area: FakeStorageArea,
  send: (command: Command) => Promise<Reply>,
): Promise<string> {
  const boards = createBoardStore(area);
  let view: BoardView = { status: 'starting' };
  // As an observer does: the browser may tell of a change when a newer board has been read.
  const read = async () => {
    const board = await boards.read();
    if (board !== null) view = { status: 'ready', board };
  };
  await read();
  const result = await requestScope(
    {
      getSnapshot: () => view,
      subscribe: (listener) => boards.watch(() => void read().then(listener)),
      async send(command) {
        const reply = await send(command);
        await read();
        return reply;
      },
      allowHosts: () => Promise.resolve(true),
      report: () => Promise.resolve(''),
    },
    scope,
  );
  if (result === 'granted') asked.granted.push(scope);
  return result;
}

/** The outcomes that nobody asked for, when nothing moves any more. */
export function findUnasked(
  { cancelled, granted, signIns }: Asked,
  wishes: Wishes,
  { session }: Held,
  board: Session | null,
  { codes, deviceCodes }: Ledger,
): string[] {
  const used = [
    ...[...codes.values()].filter(({ uses }) => uses > 0),
    ...[...deviceCodes.values()].filter(({ status }) => status === 'used'),
  ];
  const given = used.flatMap(({ scope }) => scope.split(' '));
  const found = granted
    .filter((scope) => !given.includes(scope))
    .map((scope) => `a page was told that it has "${scope}", which the provider never gave`);
  if (session !== null && cancelled.has(session.startedAtMs)) {
    found.push(`${session.profile.subject} is signed in by a sign-in that was cancelled`);
  }
  const wanted = session === null ? undefined : signIns.get(session.startedAtMs);
  if (session !== null && wanted !== undefined) {
    const { providerId, subject } = session.profile;
    if (wanted.providerId !== providerId) found.push(`"${providerId}" was not asked for`);
    if (![null, subject].includes(wanted.subject)) found.push(`${subject} was not asked for more scope`);
  }
  const another = wishes.accountToChange();
  const isSameAgain =
    session !== null &&
    another !== null &&
    another.subject === session.profile.subject &&
    session.startedAtMs >= another.atMs;
  if (isSameAgain) found.push(`${another.subject} is signed in again, who was to be changed`);
  const problem = board === null ? null : settledSession(board).problem;
  if (problem?.code === 'unexpected') found.push('an ordinary answer of the provider is shown as unexpected');
  return found;
}
