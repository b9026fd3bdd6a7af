// The authorization code flow of plain OAuth 2 (RFC 6749 section 4.1), at a provider without ID tokens. PKCE ties the code
// to this request, as the nonce of an ID token does elsewhere, and the user API says who has signed in.

import type * as oauth from 'oauth4webapi';
import { createCodeFlow, type Identify } from '../oidc/code-flow';
import {
  toTokenSet,
  type AccessTokenSet,
  toProfile,
  type ProfileClaims,
  type TokenSet,
} from '../oidc/tokens';
import type { Provider, UserApi } from '../config/provider';
import { safe, detail } from '../session/detail';
import { ProblemError } from '../session/problem';
import type { Profile } from '../session/view';
import { findExclusion } from '../oidc/id-token';
import { readJsonAnswer, type ProviderClient } from '../oidc/http';
import { toProblemError } from '../oidc/problems';
import { isTokenRefused, requestResource } from '../oidc/resource';
import { toFlag } from '../oidc/redirect';

/**
 * How long an access token with neither a lifetime nor a refresh token is used before the user API is asked whether it
 * still works.
 */
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

// Asks the user API who has signed in, at a provider without ID tokens (plain OAuth 2). Its response isn't signed: what
// vouches for it is the connection (TLS) and the access token that the token endpoint has just issued to this client.

/** The user that an access token belongs to. */
export interface ApiUser {
  readonly profile: Profile;
  /** The members that the configuration names, by the corresponding claims. */
  readonly claims: ProfileClaims;
}

/** Whether {@link requestUser} failed because the user API refused the access token itself (RFC 6750 section 3.1). */
export function isTokenRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.cause instanceof Response && isTokenRefused(error.cause);
}

/**
 * Asks the user API of the configuration, with the access token, who its user is, and checks that `allowed` lets them
 * in. With a DPoP-bound token, sends a proof.
 *
 * Throws {@link ProblemError}: `not-permitted` if the configuration doesn't allow this user, `response-rejected` if
 * the API refuses the token, or if its response isn't JSON or names no subject, and what an exchange throws.
 */
export async function requestUser(
  client: ProviderClient,
  tokens: TokenSet,
  dpopKey: CryptoKeyPair | null = null,
): Promise<ApiUser> {
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
    if (isTokenRefused(response)) {
      throw new ProblemError('response-rejected', detail`user API: HTTP 401`, { cause: response });
    }
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

/**
 * Returns the member of a JSON value at a path: names separated by dots, where an index is the name of a list's element.
 * Undefined if there is none.
 */
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

/**
 * Converts the subject to a text of the form that `sub` has in an ID token (OpenID Connect Core section 2). A rounded number
 * could belong to several people.
 */
function toSubject(value: unknown): string {
  const subject = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof subject === 'string' && /^[\x20-\x7e]{1,255}$/.test(subject) && subject.trim() !== '')
    return subject;
  throw new ProblemError(
    'response-rejected',
    value === undefined
      ? detail`user API: its answer has no subject`
      : detail`user API: the subject is neither a text nor an exact whole number`,
  );
}
