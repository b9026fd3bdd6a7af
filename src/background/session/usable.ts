// Whether a part of the record may be used under the configuration in force.

import { findExclusion } from '../../oidc/id-token.ts';
import { toPolicyName } from '../../config/allowed.ts';
import { isIssuerOf } from '../../config/issuer.ts';
import { readClaims } from '../../oidc/redirect.ts';
import { detail } from '../../session/detail.ts';
import { problem, ProblemError, toProblem, type Problem } from '../../session/problem.ts';
import type { ProviderId } from '../../session/view.ts';
import type { ProviderAccess } from '../provider/provider.ts';
import { type Grant, type StoredSession, findApi } from '../record/record.ts';
import type { Records } from '../record/records.ts';
import type { Api, Provider } from '../../config/provider.ts';
import { toApiKey } from '../../oidc/authorize.ts';
import type { InForce } from '../part.ts';

type Providers = ReadonlyMap<ProviderId, Pick<ProviderAccess, 'client'>>;

/** Whether the provider is offered with the issuer and the client that a token or a code was issued to. */
export function isClientOf(
  { providerId, issuer, clientId }: Pick<Grant, 'issuer' | 'clientId'> & { readonly providerId: ProviderId },
  providers: Providers,
): boolean {
  const provider = providers.get(providerId)?.client.provider;
  return provider !== undefined && isIssuerOf(provider, issuer) && provider.clientId === clientId;
}

/**
 * Whether the session's provider still has the issuer, the client and the kind of tokens that it was begun with: nothing else could
 * judge who may sign in.
 */
function isStillConfigured({ issuer, clientId, tokens }: Grant, provider: Provider): boolean {
  const isSameKind =
    (tokens.type === 'id_token') === (provider.responseType === 'id_token') &&
    (tokens.idToken === null) === (provider.userApi !== null);
  return isSameKind && provider.clientId === clientId && isIssuerOf(provider, issuer);
}

/**
 * Why the session ends; null if it may go on. Who may sign in is judged by the ID token in the record, which was verified when
 * it came. A session without one is judged at its next renewal.
 */
export function findSessionEnd(
  session: Grant,
  providers: Providers,
  { managed }: Pick<InForce, 'managed'>,
): Problem | null {
  const { profile, tokens } = session;
  // Nothing ends before the settings in force are known.
  if (managed === 'awaited') return null;
  const provider = providers.get(profile.providerId)?.client.provider;
  if (provider === undefined || !isStillConfigured(session, provider))
    return toNotOffered({ managed }) ?? problem('expired');
  if (Object.keys(provider.allowed).length === 0) return null;
  const claims = tokens.idToken === null ? null : readClaims(tokens.idToken);
  const exclusion = claims && findExclusion(provider, { ...claims, sub: profile.subject });
  return exclusion && toProblem(exclusion);
}

/** A session whose tokens may be used, and its provider with the settings that allow it. */
export interface UsableSession {
  readonly session: StoredSession;
  readonly access: ProviderAccess;
}

/**
 * Reads the session if the settings in force allow it; null if there is none. Use its tokens with this `access` alone: a policy may
 * change at any moment, and then they would go to another provider's hosts. Rejects with `storage-failed`.
 */
export type ReadSession = () => Promise<UsableSession | null>;

export function createReadSession(
  records: Pick<Records, 'read'>,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  inForce: () => Pick<InForce, 'managed'>,
): ReadSession {
  /** The last session that could be used, and under which settings: most calls ask for the same again. */
  let last: (UsableSession & { readonly settings: Pick<InForce, 'managed'> }) | null = null;

  return async () => {
    const { session } = await records.read();
    const access = providers.get(session?.profile.providerId ?? '');
    if (session === null || access === undefined) return null;
    const settings = inForce();
    if (last?.session === session && last.access === access && last.settings === settings) return last;
    const mayBeUsed =
      settings.managed === 'awaited'
        ? isStillConfigured(session, access.client.provider)
        : findSessionEnd(session, providers, settings) === null;
    last = mayBeUsed ? { session, access, settings } : null;
    return last;
  };
}

/** Why the settings do not offer a provider; null if they are those of the build alone. */
export function toNotOffered(settings: Pick<InForce, 'managed'>): Problem | null {
  return settings.managed && toProblem(refuseNotOffered(settings));
}

/** The error of a provider that the settings do not offer. */
export function refuseNotOffered({ managed }: Pick<InForce, 'managed'>): ProblemError {
  const reason = detail`the provider is not offered`;
  const named = managed && detail`${toPolicyName(managed === 'awaited' ? null : managed.by)}: ${reason}`;
  return new ProblemError('not-permitted', named ?? reason);
}

/**
 * The session as an API sees it: with the token for that API. Null if there is none. Without an API, the session itself, with
 * the token of the sign-in.
 */
export function viewFor(session: StoredSession, api: Api | null): StoredSession | null {
  if (api === null) return session;
  const { token } = findApi(session, toApiKey(api));
  const { tokens } = session;
  return token === null || tokens.type === 'id_token'
    ? null
    : { ...session, tokens: { ...tokens, ...token } };
}
