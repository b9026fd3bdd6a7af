// Runs when a page of the extension opens: renews and warms up, so that the next click is quick.

import { singleFlight } from '../../concurrency/single-flight.ts';
import { detail } from '../../session/detail.ts';
import { problem } from '../../session/problem.ts';
import { settledView } from '../../session/session.ts';
import { isDue } from '../record/pause.ts';
import type { AutoSignIn } from './auto-sign-in.ts';
import { markAttempt, toSilentOptions } from './new-tokens.ts';
import type { Renewal } from './renewal.ts';
import type { SessionParts } from './parts.ts';

/** With more providers than this, only the one of the last account is warmed up. */
const maxWarmedProviders = 5;
/** The pause after a silent try of any kind, so that not every popup loads a hidden page. */
const pauseMs = 10 * 60_000;

/** A function to be called when a page opens. Rejects with `storage-failed` if the board cannot be written. */
export function createPopupOpened(
  parts: SessionParts & {
    readonly renewal: Renewal;
    readonly completeProfile: () => Promise<void>;
    readonly autoSignIn: AutoSignIn;
  },
): () => Promise<void> {
  const { store, providers } = parts;
  const endWithProvider = createEndWithProvider(parts);

  const dismissNotice = () => store.dispatch({ type: 'notice-dismissed' });

  /** Renews stale tokens. A repeated notice is dismissed only after that, because the renewal may replace it. */
  const keepFresh = async (isRepeated: boolean) => {
    await parts.renewal.getFresh(null);
    parts.tasks.runInBackground(endWithProvider());
    if (isRepeated) await dismissNotice();
    await parts.completeProfile();
  };

  return async () => {
    parts.toolbar.clearAttention();
    parts.autoSignIn.tryAt('popup');
    parts.revocations.run();
    const settled = settledView(store.current());
    const isRepeated = store.markNotice();
    if (settled.status === 'signed-in') {
      parts.tasks.runInBackground(keepFresh(isRepeated));
      return;
    }
    for (const [id, access] of providers) {
      if (providers.size <= maxWarmedProviders || id === settled.lastAccount?.providerId) access.warm();
    }
    if (isRepeated) await dismissNotice();
  };
}

/**
 * A function that ends the session when the provider says that the user is no longer signed in there, if `endWithProvider` is
 * set: a refresh token may outlive that sign-in by months. It asks if that is due, once for all callers, and rejects if the storage
 * fails.
 */
function createEndWithProvider({ readSession, records, signIn, nowMs }: SessionParts): () => Promise<void> {
  return singleFlight(async () => {
    const usable = await readSession();
    if (!usable?.access.client.provider.endWithProvider) return;
    const { session, access } = usable;
    const { id, authenticatedAtMs, silentTriedAtMs } = session;
    // Each by itself: a time ahead of a clock that was set back must not hide the other one.
    const times = [authenticatedAtMs, silentTriedAtMs ?? -Infinity];
    if (!times.every((atMs) => isDue(atMs + pauseMs, pauseMs, nowMs()))) return;
    // Stored before it is sent, so that it isn't repeated at each start if the worker dies before the answer.
    if ((await markAttempt(records, session, { silentTriedAtMs: nowMs() })) === 'gone') return;
    if (!(await signIn.isLoginRequired(access, toSilentOptions(session, access)))) return;
    const held = (await readSession())?.session;
    // Another sign-in, even a silent one, may have come in the meantime, and it is newer than the answer.
    if (held?.id !== id || held.authenticatedAtMs !== authenticatedAtMs) return;
    const reason = problem('expired', detail`silent sign-in: login_required`);
    await records.dispatchOrHold({ type: 'ended', cause: held, former: 'works', problem: reason });
  });
}
