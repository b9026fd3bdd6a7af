// Asks a provider to revoke one token, and returns the outcome.

import { revokeToken } from '../../oidc/end.ts';
import { isUnsent } from '../../oidc/exchange.ts';
import { isIssuerOf } from '../../config/issuer.ts';
import { findOAuthError } from '../../oidc/rejection.ts';
import { ProblemError } from '../../session/problem.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { LastingToken } from '../record/record.ts';
import type { RevocationResult } from '../record/event.ts';

/**
 * The provider to ask: the one that issued the token, or another one with its issuer if the configuration has changed
 * since. Null if there is no longer one to ask.
 */
export function findAccess(
  providers: readonly ProviderAccess[],
  { providerId, issuer, clientId }: LastingToken,
): ProviderAccess | null {
  const same = providers.filter(({ client }) => isIssuerOf(client.provider, issuer));
  return (
    same.find(({ client }) => client.provider.id === providerId) ??
    same.find(({ client }) => client.provider.clientId === clientId) ??
    same[0] ??
    null
  );
}

/** The provider may do it later. */
const passingErrors: readonly string[] = ['temporarily_unavailable', 'server_error'];

/** Asks the provider to revoke a token. Never rejects. */
export async function sendRevocation(
  { client, metadata }: ProviderAccess,
  { token, clientId, expiresAtMs }: LastingToken,
): Promise<Exclude<RevocationResult, 'nobody-to-ask'>> {
  const { provider } = client;
  let discovered;
  try {
    discovered = await metadata();
  } catch {
    return 'unsent';
  }
  try {
    const hint = expiresAtMs === undefined ? 'refresh_token' : 'access_token';
    const result = await revokeToken(client, discovered, token, clientId ?? provider.clientId, hint);
    return result === 'revoked' ? 'done' : result;
  } catch (error) {
    const refusal = findOAuthError(error);
    if (refusal !== null && !passingErrors.includes(refusal)) return 'refused';
    return hasReached(error) ? 'failed' : 'unsent';
  }
}

/** Whether a request that failed may have reached the provider: not if the network or the browser turned it down. */
function hasReached(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return true;
  if (error.code === 'offline' || error.code === 'host-permission-missing') return false;
  if (isUnsent(error)) return false;
  return !(error.code === 'provider-unreachable' && error.cause instanceof TypeError);
}
