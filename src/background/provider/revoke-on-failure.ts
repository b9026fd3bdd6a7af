// No token is forgotten: the refresh token of a response that fails a check is queued for revocation.

import { findDroppedToken, type DroppedToken } from '../../oidc/token-request.ts';
import type { ProviderAccess } from './provider-access.ts';

/** Takes a token that was received and not used. Never rejects. */
export interface DropToken {
  drop(access: ProviderAccess, dropped: DroppedToken): Promise<void>;
}

/** Settles as `result` does. If that fails with a refresh token behind its error, the token is queued first. */
export async function revokeOnFailure<T>(
  revocations: DropToken,
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
