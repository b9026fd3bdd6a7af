// Ends the session when the provider says that the person is no longer signed in there, if `endWithProvider` is set. A
// refresh token may outlive that sign-in by months.

import { singleFlight } from '../../concurrency/single-flight.ts';
import { words } from '../../session/detail.ts';
import { problem } from '../../session/problem.ts';
import { hasCome } from '../record/pause.ts';
import { noteTry, toSilentOptions } from './new-tokens.ts';
import type { SessionParts } from './parts.ts';

/** The pause after a silent try of any kind, so that not every popup loads a hidden page. */
const pauseMs = 10 * 60_000;

/** A function that asks the provider if that is due, once for all callers. Rejects if the storage fails. */
export function createEndWithProvider({
  readSession,
  records,
  signIn,
  nowMs,
}: SessionParts): () => Promise<void> {
  return singleFlight(async () => {
    const usable = await readSession();
    if (!usable?.access.client.provider.endWithProvider) return;
    const { session, access } = usable;
    const { id, authenticatedAtMs, silentTriedAtMs } = session;
    // Each by itself: a time ahead of a clock that was set back must not hide the other one.
    const times = [authenticatedAtMs, silentTriedAtMs ?? -Infinity];
    if (!times.every((atMs) => hasCome(atMs + pauseMs, pauseMs, nowMs()))) return;
    // Stored before it is sent, so that it isn't repeated at each start if the worker dies before the answer.
    if ((await noteTry(records, session, { silentTriedAtMs: nowMs() })) === 'gone') return;
    if (!(await signIn.isLoginRequired(access, toSilentOptions(session, access)))) return;
    const held = (await readSession())?.session;
    // Another sign-in, even a silent one, may have come in the meantime, and it is newer than the answer.
    if (held?.id !== id || held.authenticatedAtMs !== authenticatedAtMs) return;
    const reason = problem('expired', words`silent sign-in: login_required`);
    await records.tell({ type: 'ended', cause: held, former: 'works', problem: reason });
  });
}
