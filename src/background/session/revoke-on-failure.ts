// A sign-in that forgets no token: the refresh token of a response that fails a check is queued for revocation.

import { findDroppedToken } from '../../oidc/dropped-token.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import type { Revocations } from './revocations.ts';

/** Settles as `result` does. If that fails with a refresh token behind its error, the token is queued first. */
export async function revokeOnFailure<T>(
  revocations: Pick<Revocations, 'drop'>,
  access: ProviderAccess,
  result: Promise<T>,
): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const dropped = findDroppedToken(error);
    if (dropped !== null) await revocations.drop(access, dropped);
    throw error;
  }
}

/** The same sign-in. If it fails with a refresh token behind its error, that token is queued before it throws. */
export function createRevokingSignIn(signIn: SignIn, revocations: Pick<Revocations, 'drop'>): SignIn {
  return {
    ...signIn,
    inWindow: (access, ...rest) => revokeOnFailure(revocations, access, signIn.inWindow(access, ...rest)),
    silently: (access, options) => revokeOnFailure(revocations, access, signIn.silently(access, options)),
  };
}
