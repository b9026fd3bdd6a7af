// Signs the person in without a click if a policy asks for it: silently, so it succeeds only if they are signed in at the
// provider already. No window opens.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';
import { singleFlight } from '../../concurrency/single-flight.ts';
import type { Unhurried } from '../../concurrency/unhurried.ts';
import type { InForce } from '../policy/policy.ts';
import { settledSession, type ProviderId } from '../../session/session.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import type { SessionStore } from './store.ts';
import type { Tasks } from './tasks.ts';

export interface AutoSignIn {
  /** Tries it in the background, if the policy wants it on this occasion. */
  tryAt(occasion: 'popup' | 'startup'): void;
  /** Remembers that the person has signed out, so that nothing signs them in again before they do. Never rejects. */
  refuse(): Promise<void>;
}

export interface AutoSignInParts {
  readonly store: SessionStore;
  readonly tasks: Tasks;
  readonly signInFlow: SignInFlow;
  readonly providers: ReadonlyMap<ProviderId, unknown>;
  readonly inForce: () => InForce;
  /** Storage that lasts. */
  readonly local: StorageArea;
  /** Storage that lasts until the browser closes. */
  readonly memory: StorageArea;
  /** Puts off what nobody waits for. */
  readonly mayBegin: Unhurried;
  readonly nowMs: () => number;
}

/** The pause between two tries, so that not every popup loads a hidden page. */
const pauseMs = 10 * 60_000;

export function createAutoSignIn(parts: AutoSignInParts): AutoSignIn {
  const { store, mayBegin, nowMs } = parts;
  const refused = createStorageItem(parts.local, 'signed-out-on-purpose', v.literal(true));
  const tried = createStorageItem(parts.memory, 'auto-sign-in', v.number());
  /** Counts the sign-outs, so that one that comes during a try is noticed. */
  let refusals = 0;

  /** Forgets that the person has signed out, unless they do so meanwhile. */
  const forgetRefusal = async (before: number) => {
    await mayBegin();
    const isRefused = (await refused.read()) !== null;
    if (isRefused && refusals === before) await refused.remove();
  };

  store.subscribe((session, before) => {
    if (session.status !== 'signed-in' || before.status === 'signed-in') return;
    // If this fails, the person has to click once more after their session has ended.
    void forgetRefusal(refusals).catch(() => undefined);
  });

  /** Pages that open at the same moment share one try. */
  const attempt = singleFlight(async () => {
    // A sign-out that comes from now on wins.
    const before = refusals;
    const session = store.current();
    const [providerId] = parts.providers.keys();
    // The same account would be excluded again.
    const isExcluded = settledSession(session).problem?.code === 'not-permitted';
    if (session.status !== 'signed-out' || providerId === undefined || isExcluded) return;
    const { lastAccount, providerSession } = session;
    if (providerSession !== null || (await refused.read()) !== null) return;
    const atMs = await tried.read();
    if (atMs !== null && Math.abs(nowMs() - atMs) < pauseMs) return;
    await tried.write(nowMs());
    const isLast = lastAccount?.providerId === providerId;
    const loginHint = (isLast ? lastAccount.email : null) ?? undefined;
    await parts.signInFlow.startSilently(providerId, { loginHint }, () => refusals === before);
  });

  return {
    tryAt(occasion) {
      const { autoSignIn } = parts.inForce();
      if (autoSignIn === 'off' || (occasion === 'startup' && autoSignIn === 'popup')) return;
      parts.tasks.runInBackground(attempt());
    },
    async refuse() {
      refusals += 1;
      if (parts.inForce().autoSignIn === 'off') return;
      // If this fails, the pause after the last try remains.
      await refused.write(true).catch(() => undefined);
    },
  };
}
