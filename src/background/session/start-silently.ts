// A sign-in that nobody has clicked for: without a window, and on the board only once the tokens are there.

import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import type { ProviderId } from '../../session/session.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import type { BeginSession } from './begin-session.ts';
import type { OwnAttempts } from './own-attempts.ts';
import type { SessionStore } from './store.ts';

export interface StartSilentlyParts {
  readonly store: Pick<SessionStore, 'current' | 'dispatch'>;
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  readonly signIn: SignIn;
  readonly beginSession: BeginSession;
  readonly nowMs: () => number;
}

/**
 * Signs the person in without a window, if that is possible and nothing else has begun meanwhile: the session is as it was,
 * and `isWanted` says so. Otherwise nothing happens. Rejects only if the storage fails.
 */
export async function startSilently(
  { store, providers, signIn, beginSession, nowMs }: StartSilentlyParts,
  ownAttempts: OwnAttempts,
  providerId: ProviderId,
  options: Pick<AuthorizationOptions, 'loginHint'>,
  isWanted: () => boolean,
): Promise<void> {
  const access = providers.get(providerId);
  const attempt = ownAttempts.next();
  if (access === undefined) return;
  // The person has to click, as they had to without this.
  const result = await signIn.silently(access, options).catch(() => null);
  if (result === null) return;
  const silent = { attempt, access, additionalScope: null };
  const isFirst = ownAttempts.next() === attempt && store.current().status === 'signed-out';
  if (!isFirst || !isWanted() || providers.get(providerId) !== access) {
    await beginSession.discard(silent, result);
    return;
  }
  ownAttempts.begin(attempt, access);
  const request = { type: 'sign-in', providerId } as const;
  const started = {
    type: 'sign-in-started',
    providerId,
    request,
    attempt,
    startedAtMs: nowMs(),
  } as const;
  // A board that cannot be written follows later.
  await store.dispatch(started).catch(() => undefined);
  await beginSession.begin(silent, () => Promise.resolve(result));
}
