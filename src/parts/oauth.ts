// Plain OAuth 2: the code flow (RFC 6749 section 4.1) at a provider without ID tokens. PKCE ties the code to this request, as the nonce
// of an ID token does elsewhere. The user API says who has signed in, and later whether they may stay.

import type * as oauth from 'oauth4webapi';
import { createCodeFlow, type Identify } from '../oidc/code-flow.ts';
import { toTokenSet, toProfile, unknownLifetimeSeconds } from '../oidc/tokens.ts';
import type { AccessTokenSet, ProfileClaims, TokenSet } from '../oidc/tokens.ts';
import type { Provider, UserApi } from '../config/provider.ts';
import { findUserApiMistakes } from '../config/rules.ts';
import { safe, detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { Profile } from '../session/view.ts';
import { findExclusion } from '../oidc/id-token.ts';
import { readJsonAnswer, type ProviderClient } from '../oidc/http.ts';
import { toProblemError } from '../oidc/problems.ts';
import { isTokenRefused, requestResource } from '../oidc/resource.ts';
import { toFlag } from '../oidc/jwt.ts';
import type { FormerToken } from '../background/record/record.ts';
import type { UsableSession } from '../background/session/usable.ts';
import type { PlainTokens, Ended, Renewed, Part } from '../background/part.ts';

/** How long an access token with neither a lifetime nor a refresh token is used before the user API is asked about it. */
export const uncheckedLifetimeSeconds = 60 * 60;

/** The user is the one that the user API names. */
export const byUserApi: Identify = async ({ client, dpopKey }, answer) => {
  const tokens = toPlainTokenSet(answer, client.world.nowMs());
  const { profile, claims } = await requestUser(client, tokens, dpopKey);
  const { issuer } = client.provider;
  const grantedScope = answer.scope ?? null;
  return { tokens, dpopKey, claims, issuer, profile, originalClaims: null, grantedScope };
};

/** The code flow without an ID token. */
export const oauthFlow = createCodeFlow(byUserApi);

function toPlainTokenSet(answer: oauth.TokenEndpointResponse, receivedAtMs: number): AccessTokenSet {
  const isUnlimited = answer.expires_in === undefined && answer.refresh_token === undefined;
  return toTokenSet(isUnlimited ? { ...answer, expires_in: uncheckedLifetimeSeconds } : answer, receivedAtMs);
}

/** Without a refresh token, the tokens are checked at the user API, because no silent sign-in could bring others. */
const plainTokens: PlainTokens = {
  async judge(usable) {
    const isFree = Object.keys(usable.access.client.provider.allowed).length === 0;
    return isFree ? null : findEnd(usable).catch(() => null);
  },

  async check(usable) {
    try {
      const problem = await findEnd(usable);
      return problem === null ? toLonger(usable, uncheckedLifetimeSeconds) : end(problem, 'works');
    } catch (error) {
      if (isTokenRefusal(error)) return end(new ProblemError('expired', null, { cause: error }), 'used');
      return toLonger(usable, unknownLifetimeSeconds);
    }
  },
};

/** Why the user API ends the session; null if the user is the same and may stay. Throws {@link ProblemError}. */
async function findEnd({ session, access }: UsableSession): Promise<ProblemError | null> {
  try {
    const { profile } = await requestUser(access.client, session.tokens, session.dpopKey);
    return profile.subject === session.profile.subject ? null : new ProblemError('expired');
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not-permitted') return error;
    throw error;
  }
}

function end(problem: ProblemError, former: FormerToken): Ended {
  return { outcome: 'ended', problem, former };
}

/** The same tokens, to be used for so long from now on. */
function toLonger({ session, access }: UsableSession, seconds: number): Renewed {
  const { tokens, dpopKey, authenticatedAtMs, originalClaims } = session;
  const expiresAtMs = access.client.world.nowMs() + seconds * 1000;
  const renewed = { tokens: { ...tokens, expiresAtMs }, dpopKey, authenticatedAtMs, originalClaims };
  return { outcome: 'renewed', renewed, former: 'works' };
}

/** Whether {@link requestUser} failed because the user API refused the access token itself (RFC 6750 section 3.1). */
export function isTokenRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.cause instanceof Response && isTokenRefused(error.cause);
}

/**
 * Asks the user API of the configuration who the user of the access token is, and checks that `allowed` lets them in. Its response isn't
 * signed: TLS vouches for it, and the token endpoint, which has issued the token to this client. `claims` are the members that the
 * configuration names, by the corresponding claims.
 *
 * Throws {@link ProblemError}: `not-permitted` if the configuration doesn't allow this user, `response-rejected` if the API refuses the
 * token, or if its response isn't JSON or names no subject, and what an exchange throws.
 */
export async function requestUser(
  client: ProviderClient,
  tokens: TokenSet,
  dpopKey: CryptoKeyPair | null = null,
): Promise<{ readonly profile: Profile; readonly claims: ProfileClaims }> {
  try {
    const { provider, exchange } = client;
    const { userApi } = provider;
    if (userApi === null) throw new Error('This provider has no user API.');
    const { url } = userApi;
    const headers = new Headers({ accept: 'application/json' });
    for (const [name, value] of Object.entries(userApi.headers)) headers.set(name, value);
    const request = { url, method: 'GET', headers };
    const response = await requestResource(client, tokens, dpopKey, request, (withToken) =>
      exchange.fetchAtOnce(url, { headers: withToken }),
    );
    if (isTokenRefused(response))
      throw new ProblemError('response-rejected', detail`user API: HTTP 401`, { cause: response });
    const answer = await readJsonAnswer(detail`user API`, safe(url), response);
    const claims = readUser(userApi, answer);
    const exclusion = findExclusion(provider, toJudged(provider, claims, answer), 'user API');
    if (exclusion !== null) throw exclusion;
    return { profile: toProfile(provider, claims, tokens), claims };
  } catch (error) {
    throw toProblemError(client, detail`user API`, error);
  }
}

/** Reads the members that the configuration names. Throws `response-rejected` if there is no subject. */
export function readUser(paths: UserApi, answer: unknown): ProfileClaims {
  const read = (path: string | null) => (path === null ? undefined : readMember(answer, path));
  return {
    sub: toSubject(read(paths.subject)),
    name: read(paths.name),
    email: read(paths.email),
    email_verified: toFlag(read(paths.emailVerified)),
    picture: read(paths.picture),
  };
}

/** The values that `allowed` is compared with: members of the response, by path; "email" is the one of the profile. */
function toJudged({ allowed }: Provider, claims: ProfileClaims, answer: unknown): ProfileClaims {
  const named = Object.fromEntries(Object.keys(allowed).map((path) => [path, readMember(answer, path)]));
  const { sub, email, email_verified } = claims;
  return { ...named, sub, email, email_verified };
}

/** The member of a JSON value at a path: names separated by dots, where an index names a list's element. Undefined if there is none. */
export function readMember(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    // Not the `length` of a list, which identifies no one.
    if (Array.isArray(value) && !/^\d/.test(name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** The subject in the form of `sub` (OpenID Connect Core section 2). A rounded number could belong to several people. */
function toSubject(value: unknown): string {
  const subject = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof subject === 'string' && /^[ -~]{1,255}$/.test(subject) && subject.trim() !== '') return subject;
  throw new ProblemError(
    'response-rejected',
    value === undefined
      ? detail`user API: its answer has no subject`
      : detail`user API: the subject is neither a text nor an exact whole number`,
  );
}

export const part: Part = {
  flowOf: ({ userApi }) => (userApi === null ? null : oauthFlow),
  plainTokens,
  findMistakes: findUserApiMistakes,
};
