// Signs the person in without a click if the configuration asks for it: silently, so it succeeds only if they are signed in at
// the provider already. No window opens.

import * as v from 'valibot';
import { createStorageItem } from '../../bridge/storage-item.ts';
import { singleFlight } from '../../concurrency/single-flight.ts';
import { settledSession } from '../../session/session.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import type { SessionParts } from './parts.ts';

export interface AutoSignIn {
  /** Tries it in the background, if that is wanted on this occasion. */
  tryAt(occasion: 'popup' | 'startup'): void;
  /** Prevents a try, also one that is running, because the person signs out. A policy that turns it off does so, too. */
  refuse(): void;
}

/** The pause between two tries, so that not every popup loads a hidden page. */
const pauseMs = 10 * 60_000;

export function createAutoSignIn(parts: SessionParts & { readonly signInFlow: SignInFlow }): AutoSignIn {
  const { store, records, nowMs } = parts;
  /** When it was last tried, or the settings that excluded the account, because they'd exclude it again. */
  const tried = createStorageItem(parts.memory, 'auto-sign-in', v.union([v.number(), v.string()]));
  /** Whether the person has signed out in this worker's life: the record says so a moment later. */
  let isRefused = false;
  store.subscribe(({ status }) => {
    if (status === 'signed-in') isRefused = false;
  });

  const isWanted = () => !isRefused && parts.inForce().autoSignIn !== 'off';

  /** Pages that open at the same moment share one try. */
  const attempt = singleFlight(async () => {
    const session = store.current();
    const [providerId] = parts.providers.keys();
    // The same account would be excluded again.
    const isExcluded = settledSession(session).problem?.code === 'not-permitted';
    if (session.status !== 'signed-out' || providerId === undefined || isExcluded || !isWanted()) return;
    const { lastAccount, providerSession } = session;
    if (providerSession !== null || (await records.read()).isSignedOutOnPurpose) return;
    const last = await tried.read();
    const settings = JSON.stringify(parts.inForce().providers[0]);
    if (last === settings || (typeof last === 'number' && Math.abs(nowMs() - last) < pauseMs)) return;
    await tried.write(nowMs());
    const isLast = lastAccount?.providerId === providerId;
    const loginHint = (isLast ? lastAccount.email : null) ?? undefined;
    const failure = await parts.signInFlow.startSilently(providerId, { loginHint }, isWanted);
    if (failure === 'not-permitted') await tried.write(settings);
  });

  return {
    tryAt(occasion) {
      if (occasion === 'startup' && parts.inForce().autoSignIn !== 'startup') return;
      parts.tasks.runInBackground(attempt());
    },
    refuse() {
      isRefused = true;
    },
  };
}
