// Whether a part of the record may be used under the configuration in force, and the only way to use a session's tokens.

import { findExclusion } from '../../oidc/id-token.ts';
import { toPolicyName } from '../../config/allowed.ts';
import { isIssuerOf } from '../../config/issuer.ts';
import { readClaims } from '../../oidc/jwt.ts';
import { detail } from '../../session/detail.ts';
import { problem, ProblemError, toProblem, type Problem } from '../../session/problem.ts';
import { toLoginHint, type Profile, type ProviderId } from '../../session/view.ts';
import type { ProviderAccess, TokenAccess } from '../provider/provider.ts';
import { type Grant, type StoredSession, findApi, toAdditional } from '../record/record.ts';
import type { Records } from '../record/records.ts';
import type { Revocations } from './revocations.ts';
import type { Api, Provider } from '../../config/provider.ts';
import { toApiKey, type AuthorizationOptions } from '../../oidc/authorize.ts';
import type { Obtained } from '../../oidc/code-flow.ts';
import type { Metadata } from '../../oidc/discover.ts';
import { createEndSessionRequest, type EndSessionRequest } from '../../oidc/end.ts';
import { renewTokens, type TokenAnswer } from '../../oidc/renew.ts';
import { requestResource, requestUserInfo } from '../../oidc/resource.ts';
import type { ProfileClaims } from '../../oidc/tokens.ts';
import type { InForce, Settings } from '../part.ts';

type Providers = ReadonlyMap<ProviderId, Pick<ProviderAccess, 'client'>>;

/** Whether the provider has the issuer and the client that a token or a code was issued to. */
export function isClientOf(
  { issuer, clientId }: Pick<Grant, 'issuer' | 'clientId'>,
  provider: Provider,
): boolean {
  return provider.clientId === clientId && isIssuerOf(provider, issuer);
}

/**
 * Whether the session's provider still has the issuer, the client and the kind of tokens that it was begun with: only these can
 * decide who may sign in.
 */
function isStillConfigured(session: Grant, provider: Provider): boolean {
  const { type, idToken } = session.tokens;
  return (
    isClientOf(session, provider) &&
    (type === 'id_token') === (provider.responseType === 'id_token') &&
    (idToken === null) === (provider.userApi !== null)
  );
}

/**
 * Why the session ends; null if it may go on. The ID token in the record decides who may sign in: it was verified when it came. A
 * session without one is checked at its next renewal.
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

/**
 * A session whose tokens may be used, and its provider with the settings that allow it. Only {@link createReadSession} makes one, and
 * nothing else sends a token of the stored session: a policy may change at any moment, and no token may go to hosts that the new
 * one adds.
 */
class Usable<Access extends ProviderAccess> {
  readonly session: StoredSession;
  readonly access: Access;

  constructor(session: StoredSession, access: Access) {
    this.session = session;
    this.access = access;
  }

  /** The session as an API sees it: with the token for that API, or with null that of the sign-in. Null if there is none. */
  for(api: Api | null): Usable<Access> | null {
    if (api === null) return this;
    const { session } = this;
    const { tokens } = session;
    const { token } = findApi(session, toApiKey(api));
    return token === null || tokens.type === 'id_token'
      ? null
      : new Usable({ ...session, tokens: { ...tokens, ...token } }, this.access);
  }

  /** Runs `use` with the same session, whose requests may bring tokens: see {@link Revocations}. */
  receive<T>(
    revocations: Pick<Revocations, 'receive'>,
    use: (own: Usable<TokenAccess>) => Promise<T>,
  ): Promise<T> {
    return revocations.receive(this.access, (own) => use(new Usable(this.session, own)));
  }

  /** Sends a request to an API with the token, as {@link requestResource} does. */
  authorize(
    request: Pick<Request, 'url' | 'method' | 'headers'>,
    send: (headers: HeadersInit) => Promise<Response>,
  ): Promise<Response> {
    const { tokens, dpopKey } = this.session;
    return requestResource(this.access.client, tokens, dpopKey, request, send);
  }

  /** Asks UserInfo, as {@link requestUserInfo} does. */
  askUserInfo(metadata: Metadata, claims: ProfileClaims): Promise<Profile> {
    const { client, keys } = this.access;
    const { tokens, dpopKey } = this.session;
    return requestUserInfo(client, metadata, tokens, claims, dpopKey, keys);
  }

  /** Calls `ask` with the options of a silent request for this user. */
  askSilently<T>(ask: (access: Access, options: Omit<AuthorizationOptions, 'prompt'>) => T): T {
    const { tokens, profile } = this.session;
    return ask(this.access, {
      loginHint: toLoginHint(profile),
      // It may have expired. An ID token that APIs accept stays out of every address.
      idTokenHint: tokens.type === 'id_token' ? undefined : (tokens.idToken ?? undefined),
      additional: toAdditional(this.session, this.access.client.provider),
    });
  }
}

export type UsableSession<Access extends ProviderAccess = ProviderAccess> = Usable<Access>;

/** Reads the session if the settings in force allow it; null if there is none. Rejects with `storage-failed`. */
export type ReadSession = () => Promise<UsableSession | null>;

export function createReadSession(
  records: Pick<Records, 'read'>,
  providers: ReadonlyMap<ProviderId, ProviderAccess>,
  policy: Settings<'managed'>,
): ReadSession {
  /** The last session that could be used, and under which settings: most calls ask for the same again. */
  let last: UsableSession | null = null;
  let judgedBy: unknown;

  return async () => {
    const { session } = await records.read();
    const access = providers.get(session?.profile.providerId ?? '');
    if (session === null || access === undefined) return null;
    const settings = policy.inForce;
    if (last?.session === session && last.access === access && judgedBy === settings) return last;
    const mayBeUsed =
      settings.managed === 'awaited'
        ? isStillConfigured(session, access.client.provider)
        : findSessionEnd(session, providers, settings) === null;
    last = mayBeUsed ? new Usable(session, access) : null;
    judgedBy = settings;
    return last;
  };
}

/** The result of a sign-in, and the access that has obtained it. */
interface Result {
  readonly session: Obtained;
  readonly access: TokenAccess;
}

/**
 * Redeems the refresh token, unless `maySend` says, when everything else is there, that it is gone. `parameters` are those of
 * {@link renewTokens}. Throws {@link ProblemError}: `not-supported` without a refresh token, and what {@link renewTokens} throws.
 */
export async function redeemRefreshToken(
  { session, access: { client, keys, metadata } }: UsableSession<TokenAccess> | Result,
  parameters: Readonly<Record<string, string>>,
  maySend: () => Promise<'kept' | 'gone'>,
): Promise<TokenAnswer | 'gone'> {
  const { tokens, profile, issuer, originalClaims, dpopKey } = session;
  const { refreshToken } = tokens;
  if (tokens.type === 'id_token' || refreshToken === null)
    throw new ProblemError('not-supported', detail`renewal: there is no refresh token`);
  const known = { ...(await metadata()), sessionIssuer: issuer };
  if ((await maySend()) === 'gone') return 'gone';
  const authentication = { subject: profile.subject, claims: originalClaims };
  return renewTokens(client, known, keys, { ...tokens, refreshToken }, authentication, dpopKey, parameters);
}

/** Creates the request to end the user's session at the provider, with the ID token if there is one: {@link createEndSessionRequest}. */
export async function requestEnd(
  { session, access }: UsableSession | { readonly session: null; readonly access: ProviderAccess },
  redirectUri: string,
): Promise<EndSessionRequest | null> {
  const idToken = session?.tokens.idToken ?? null;
  return createEndSessionRequest(access.client, await access.metadata(), { idToken, redirectUri });
}

/** Why the settings don't offer a provider; null if they are those of the build alone. */
export function toNotOffered(settings: Pick<InForce, 'managed'>): Problem | null {
  return settings.managed && toProblem(refuseNotOffered(settings));
}

/** The error of a provider that the settings don't offer. */
export function refuseNotOffered({ managed }: Pick<InForce, 'managed'>): ProblemError {
  const reason = detail`the provider is not offered`;
  const named = managed && detail`${toPolicyName(managed === 'awaited' ? null : managed.by)}: ${reason}`;
  return new ProblemError('not-permitted', named ?? reason);
}
