// Whether a stored session may go on under the configuration that holds now.

import { findExclusion } from '../../oidc/allowed.ts';
import { isIssuerOf } from '../../oidc/issuer.ts';
import { readClaims } from '../../oidc/observe.ts';
import { problem, type Problem } from '../../session/problem.ts';
import type { ProviderId } from '../../session/session.ts';
import type { InForce } from '../policy/policy.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { VaultSession } from '../vault/vault.ts';

/** Whether the session's provider still has the issuer, the client and the kind of tokens that it was begun with. */
function isStillConfigured(
  session: VaultSession,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
): boolean {
  const provider = providers.get(session.profile.providerId)?.client.provider;
  if (provider === undefined) return false;
  const isSameKind = (session.tokens.type === 'id_token') === (provider.responseType === 'id_token');
  return isIssuerOf(provider, session.issuer) && provider.clientId === session.clientId && isSameKind;
}

/**
 * Why the session ends; null if it may go on. Under a policy, who may sign in is judged by the ID token in the vault, which
 * was verified when it came. A session without one is judged at its next renewal.
 */
export function findSessionEnd(
  session: VaultSession,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  { managed }: Pick<InForce, 'managed'>,
): Problem | null {
  const { profile, tokens } = session;
  const provider = providers.get(profile.providerId)?.client.provider;
  if (provider === undefined || !isStillConfigured(session, providers)) {
    return managed === null ? problem('expired') : toPolicyProblem(managed, 'the provider is not offered');
  }
  const claims = tokens.idToken === null || managed === null ? null : readClaims(tokens.idToken);
  const exclusion = claims && findExclusion(provider, { ...claims, sub: profile.subject });
  return exclusion && managed && toPolicyProblem(managed, exclusion.detail ?? 'who may sign in');
}

/** The problem of something that a policy does not allow, with what an administrator has to know. */
export function toPolicyProblem({ by }: NonNullable<InForce['managed']>, reason: string): Problem {
  return problem('not-permitted', `policy${by === null ? '' : ` of ${by}`}: ${reason}`);
}
