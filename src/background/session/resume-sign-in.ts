// Resumes, once, a sign-in that another worker left behind: the person has usually finished it at the provider.

import { problem, ProblemError } from '../../session/problem.ts';
import { isSamePerson, type SigningIn } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn, SignInResult } from '../provider/sign-in.ts';
import type { ReopenPopup } from '../toolbar/reopen-popup.ts';
import type { Attempt, Attempts } from './attempts.ts';
import type { BeginSession } from './begin-session.ts';
import type { DeviceSignIn } from './device-sign-in.ts';
import type { SessionStore } from './store.ts';

export interface ResumeSignInParts {
  readonly store: Pick<SessionStore, 'dispatch'>;
  readonly attempts: Pick<Attempts, 'find'>;
  readonly signIn: SignIn;
  readonly device: DeviceSignIn | undefined;
  readonly beginSession: BeginSession;
  readonly reopenPopup: ReopenPopup;
}

/**
 * Finishes `leftOver`: with its user code if it shows one, and otherwise without a window. If that is not possible, also
 * because its provider is not offered any more and has no `access`, the board shows `interrupted`. Rejects only if the
 * storage fails.
 */
export async function resumeSignIn(
  { store, attempts, signIn, device, beginSession, reopenPopup }: ResumeSignInParts,
  leftOver: SigningIn,
  access: ProviderAccess | undefined,
): Promise<void> {
  const { attempt, before } = leftOver;
  const stored = await attempts.find(leftOver);
  if (access === undefined || stored === null) {
    return store.dispatch({ type: 'sign-in-failed', attempt, problem: problem('interrupted') });
  }
  const resumed = { attempt, access, additionalScope: stored.additionalScope };
  const byCode = device?.resume(access);
  // The provider's page closes the popup.
  if (byCode) return beginSession.begin(resumed, () => byCode).finally(() => reopenPopup.show());
  await beginSession.begin(resumed, async () => {
    const result = await signInAgain(signIn, access, stored);
    if (!isUnfinished(before, stored, result)) return result;
    await beginSession.discard(resumed, result);
    throw new ProblemError('interrupted');
  });
}

/** Repeats an attempt of another worker silently. Throws {@link ProblemError} `interrupted` if it is not finished. */
async function signInAgain(
  signIn: SignIn,
  access: ProviderAccess,
  { loginHint, additionalScope }: Attempt,
): Promise<SignInResult> {
  const options = { loginHint: loginHint ?? undefined, additionalScope: additionalScope ?? undefined };
  return signIn.silently(access, options).catch((cause: unknown) => {
    throw new ProblemError('interrupted', null, { cause });
  });
}

/** Whether the person was changing to another account and did not get there. The provider knows the last one. */
function isUnfinished(
  before: SigningIn['before'],
  { prompt, additionalScope }: Attempt,
  { profile }: SignInResult,
): boolean {
  const last = before.status === 'signed-in' ? before.profile : before.lastAccount;
  const isUnchanged = last !== null && isSamePerson(last, profile);
  const isChange = prompt === 'select_account' || before.status === 'signed-in';
  return isUnchanged && isChange && additionalScope === null;
}
