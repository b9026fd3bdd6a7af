// Signs the user in without a click if the configuration asks for it: silently, so it succeeds only if they are signed in at
// the provider already. No window opens.

import * as v from '../../session/shape.ts';
import { readItem } from '../storage.ts';
import { singleFlight } from '../../concurrency.ts';
import { detail } from '../../session/detail.ts';
import { isPassing, ProblemError, toProblem, type ProblemCode } from '../../session/problem.ts';
import type { Attempt, BeginSession } from './sign-in.ts';
import type { ViewStore } from './store.ts';
import type { Records } from '../record/records.ts';
import { isSameUser, toLoginHint, type ProviderId } from '../../session/view.ts';
import type { ProviderAccess, TokenAccess } from '../provider/provider.ts';
import type { SignIn } from '../provider/run-flow.ts';
import type { StorageArea } from '../../bridge/session/board.ts';
import type { Work } from '../work.ts';
import type { Settings } from '../part.ts';

export type AutoSignIn = ReturnType<typeof createAutoSignIn>;

/** The pause between two tries, so that not every popup loads a hidden page. */
const pauseMs = 10 * 60_000;

/** The waits after failures that may pass: a browser that starts is often faster than its network. */
const waitsMs = [1_000, 5_000, 15_000];

interface AutoSignInParts {
  readonly store: Pick<ViewStore, 'view'>;
  readonly records: Pick<Records, 'read'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly policy: Settings;
  readonly signIn: Pick<SignIn, 'silently'>;
  readonly beginSession: BeginSession;
  readonly memory: StorageArea;
  readonly work: Pick<Work, 'runInBackground'>;
  readonly nowMs: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (durationMs: number) => Promise<void>;
}

/** When it was last tried, or the settings under which the account was excluded or differed, because it would again. */
const triedKey = 'auto-sign-in';
const triedSchema = v.union([v.number(), v.string()]);

export function createAutoSignIn(parts: AutoSignInParts) {
  const { store, records, providers, policy, memory, nowMs } = parts;
  /** Whether a try is running, and no click has come first. */
  let isWanted = false;

  /** Pages that open at the same moment share one try. */
  const tryOnce = singleFlight(async () => {
    const session = store.view;
    const [first] = providers;
    if (session.status !== 'signed-out' || first === undefined) return;
    const [providerId, access] = first;
    const { accounts, providerSession, problem } = session;
    const [last] = accounts;
    // The same account would be excluded again.
    if (providerSession !== null || problem?.code === 'not-permitted') return;
    // If no account is remembered, only a click shows who it is.
    if (problem?.code === 'expired' && last === undefined) return;
    isWanted = true;
    if ((await records.read()).isSignedOutOnPurpose) return;
    const before = await readItem(memory, triedKey, triedSchema);
    const settings = JSON.stringify(policy.inForce.providers[0]);
    if (before === settings || (typeof before === 'number' && Math.abs(nowMs() - before) < pauseMs)) return;
    await memory.set({ [triedKey]: nowMs() });
    const isLast = last?.providerId === providerId;
    const loginHint = isLast ? toLoginHint(last) : undefined;
    const attempt: Attempt = {
      id: crypto.randomUUID(),
      startedAtMs: nowMs(),
      access,
      asked: null,
      // A policy may turn it off while the try is running.
      isWanted: () =>
        isWanted &&
        store.view.status === 'signed-out' &&
        policy.inForce.autoSignIn !== 'off' &&
        providers.get(providerId) === access,
    };
    const obtain = async (own: TokenAccess) => {
      const obtained = await parts.signIn.silently(own, { loginHint });
      // A page may have signed the browser in as someone else. Only a click may change the person.
      if (!isLast || isSameUser(last, obtained.profile)) return obtained;
      throw new ProblemError('not-permitted', detail`automatic sign-in: another user than the last one`);
    };
    const end = (): Promise<ProblemCode | null> =>
      parts.beginSession.begin(attempt, obtain).then(
        () => null,
        (error: unknown) => toProblem(error).code,
      );
    let code = await end();
    for (const waitMs of waitsMs) {
      if (code === null || !isPassing(code)) break;
      await parts.wait(waitMs);
      if (!attempt.isWanted()) return;
      code = await end();
    }
    // After any other failure the user has to click, as without this setting.
    if (code === 'not-permitted') await memory.set({ [triedKey]: settings });
    else if (code !== null && isPassing(code)) await memory.remove(triedKey);
  });

  return {
    /** Tries it in the background, if the settings ask for it on this occasion. */
    tryAt(occasion: 'popup' | 'startup'): void {
      const { autoSignIn } = policy.inForce;
      if (autoSignIn === 'off' || (occasion === 'startup' && autoSignIn !== 'startup')) return;
      parts.work.runInBackground(tryOnce());
    },
    /** Prevents the try that is running, because of a click. */
    refuse(): void {
      isWanted = false;
    },
  };
}
