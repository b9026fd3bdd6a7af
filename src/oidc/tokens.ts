// Converts a token response to the tokens of the record, and claims to a profile.

import type * as oauth from 'oauth4webapi';
import { isSecureUrl } from '../session/secure-url.ts';
import type { Provider } from '../config/provider.ts';
import { readClaims } from './jwt.ts';
import { isClaimItem, type Claims, type ClaimValue, type Profile } from '../session/view.ts';

/** The tokens of a signed-in user, as the record has them. */
export type TokenSet = AccessTokenSet | IdTokenSet;

/** The tokens of a token response. */
export interface AccessTokenSet {
  readonly type: 'Bearer' | 'DPoP';
  readonly accessToken: string;
  readonly expiresAtMs: number;
  readonly refreshToken: string | null;
  /** The newest ID token, used as a hint when signing out at the provider. */
  readonly idToken: string | null;
}

/** The ID token of a provider that responds with nothing else (OpenID Connect Core 3.2). */
export interface IdTokenSet {
  readonly type: 'id_token';
  readonly idToken: string;
  readonly expiresAtMs: number;
  readonly refreshToken: null;
}

/** The token that requests to an API carry. */
export function toApiToken(tokens: TokenSet): string {
  return tokens.type === 'id_token' ? tokens.idToken : tokens.accessToken;
}

/** Lifetime of an access token without `expires_in`, which is only recommended (RFC 6749 section 5.1). */
export const unknownLifetimeSeconds = 5 * 60;
/** No token is used for longer without a renewal. */
export const maxLifetimeSeconds = 24 * 60 * 60;
/** Tokens are renewed this long before they expire, so that they outlive a request in progress. */
const renewAheadMs = 30_000;

/**
 * Converts a token response. Members missing from it are kept from `previous`: a refresh token that wasn't
 * replaced stays valid (RFC 6749 section 6).
 */
export function toTokenSet(
  tokenResponse: oauth.TokenEndpointResponse,
  receivedAtMs: number,
  previous: AccessTokenSet | null = null,
): AccessTokenSet {
  const lifetimeSeconds = Math.min(tokenResponse.expires_in ?? unknownLifetimeSeconds, maxLifetimeSeconds);
  return {
    type: tokenResponse.token_type === 'dpop' ? 'DPoP' : 'Bearer',
    accessToken: tokenResponse.access_token,
    expiresAtMs: receivedAtMs + lifetimeSeconds * 1000,
    refreshToken: tokenResponse.refresh_token ?? previous?.refreshToken ?? null,
    idToken: tokenResponse.id_token ?? previous?.idToken ?? null,
  };
}

/**
 * Whether the token for APIs has expired or will during a request. If it seems to last longer than any token can, the clock has
 * been set back since it came.
 */
export function isStale({ expiresAtMs }: TokenSet, nowMs: number): boolean {
  const leftMs = expiresAtMs - nowMs;
  return leftMs <= renewAheadMs || leftMs > maxLifetimeSeconds * 1000;
}

/** Claims whose types haven't been checked, apart from `sub`. */
export type ProfileClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * Converts verified claims into a profile (OpenID Connect Core section 5.1). Texts are single lines of bounded length; the picture is an
 * https URL or null. A text that repeats one of `tokens`, or is a part of one, is left out. With a template the profile names the issuer of
 * the tenant, because a subject is unique only there. A login hint is in it only if it isn't the email address.
 */
export function toProfile(
  provider: Pick<Provider, 'id' | 'issuerTemplate'> & Partial<Pick<Provider, 'profileClaims' | 'loginHint'>>,
  claims: ProfileClaims,
  tokens: TokenSet,
): Profile {
  const { id, issuerTemplate, profileClaims = [], loginHint: kind } = provider;
  const unlessToken = (text: string | null) => (text !== null && repeatsToken(text, tokens) ? null : text);
  const fullName = [claims['given_name'], claims['family_name']]
    .map((part) => toLine(part, 100))
    .filter(Boolean);
  const email = unlessToken(toLine(claims['email'], 320));
  const named = loginNames.map((name) => unlessToken(toLine(claims[name], maxLoginHint)));
  const loginHint =
    // A name that had to be changed is a different name.
    named.find((name, at) => name !== null && name === claims[String(loginNames[at])]) ??
    (kind === 'username' ? null : email);
  return {
    providerId: id,
    subject: claims.sub,
    name: unlessToken(
      toLine(claims['name'], 200) ?? (fullName.join(' ') || toLine(claims['preferred_username'], 200)),
    ),
    email,
    emailVerified: email !== null && claims['email_verified'] === true,
    picture: unlessToken(toPicture(claims['picture'])),
    ...(issuerTemplate !== null && { issuer: String(claims['iss']) }),
    ...(loginHint !== email && { loginHint }),
    ...(profileClaims.length > 0 && { claims: toClaims(profileClaims, claims, tokens) }),
  };
}

/** The longest text of a claim, the most items of one, and the longest JSON of all: each page reads it before it paints. */
const maxItemLength = 400;
const maxItems = 200;
const maxClaimsLength = 8_000;

/**
 * The claims of these names. One that doesn't fit is left out as a whole, because a part of a list would say that the user isn't in
 * the rest.
 */
function toClaims(names: readonly string[], claims: ProfileClaims, tokens: TokenSet): Claims {
  let left = maxClaimsLength;
  const isTaken = (item: unknown) =>
    isClaimItem(item) &&
    (typeof item !== 'number' || Math.abs(item) <= Number.MAX_SAFE_INTEGER) &&
    (typeof item !== 'string' ||
      (item.length <= maxItemLength && !invisible.test(item) && !repeatsToken(item, tokens)));
  const taken = names.filter((name) => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (items.length > maxItems || !items.every(isTaken)) return false;
    const { length } = JSON.stringify([name, value]);
    if (length > left) return false;
    left -= length;
    return true;
  });
  return Object.fromEntries(taken.map((name) => [name, claims[name] as ClaimValue]));
}

/** The user's claims in a renewal, as far as the feature gets them. */
export interface RenewedClaims {
  /** Missing if there is no newer ID token. */
  readonly claims?: Claims;
  /** Whether UserInfo may have newer ones. */
  readonly isUserInfoDue?: boolean;
}

/**
 * The claims that the feature gets after a renewal: those of the newest ID token, which was verified, and those that UserInfo had added
 * to the former one, until UserInfo is asked again.
 */
export function renewClaims(
  { profileClaims = [] }: Partial<Pick<Provider, 'profileClaims'>>,
  { profile, tokens: former }: { readonly profile: Profile; readonly tokens: TokenSet },
  tokens: TokenSet,
): RenewedClaims {
  const { subject, claims = {} } = profile;
  if (profileClaims.length === 0 || tokens.idToken === null) return {};
  const newest = readClaims(tokens.idToken) ?? {};
  const isUserInfoDue = !profileClaims.every((name) => Object.hasOwn(newest, name));
  if (tokens.idToken === former.idToken) return { isUserInfoDue };
  const before = readClaims(former.idToken ?? '') ?? {};
  const added = Object.entries(claims).filter(([name]) => !Object.hasOwn(before, name));
  const all = { ...Object.fromEntries(added), ...newest, sub: subject };
  return { claims: toClaims(profileClaims, all, tokens), isUserInfoDue };
}

/** Control and bidi override characters. */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/u;

/**
 * The claims that name a user as they sign in, the best first: Entra's claim for the parameter `login_hint` itself; the user name
 * at Entra, Keycloak, Okta, Salesforce and Zitadel; and that of AD FS. An email address may be one for contact alone.
 */
const loginNames = ['login_hint', 'preferred_username', 'upn'];
/** The longest one, in code points. */
const maxLoginHint = 320;

/** Shorter texts may be in a token by chance. */
const minTokenLength = 8;

/** Whether a text about the user contains a whole token or, cut to its length, is part of one. */
function repeatsToken(text: string, tokens: TokenSet): boolean {
  if (text.length < minTokenLength) return false;
  return [toApiToken(tokens), tokens.refreshToken, tokens.idToken].some(
    (token) =>
      token !== null && token.length >= minTokenLength && (text.includes(token) || token.includes(text)),
  );
}

/** Whether UserInfo could add a name, email or picture, or a claim that the feature gets. */
export function isIncomplete(
  { name, email, picture, claims = {} }: Profile,
  { profileClaims = [] }: Pick<Provider, 'profileClaims'> = {},
): boolean {
  const isMissing = (claim: string) => !Object.hasOwn(claims, claim);
  return name === null || email === null || picture === null || profileClaims.some(isMissing);
}

/** The rest of a claim isn't read. A name has at most 200 code points, with far fewer control characters between them. */
const maxClaimLength = 4_096;

/** Returns one line without control or bidi override characters, at most `maxLength` code points long; null if empty. */
function toLine(claim: unknown, maxLength: number): string | null {
  if (typeof claim !== 'string') return null;
  const line = claim.slice(0, maxClaimLength).split(invisible).join(' ').trim();
  return line === '' ? null : Array.from(line).slice(0, maxLength).join('');
}

/** The longest URL of a picture, with its percent-encoding. */
const maxPictureLength = 2_048;

/** As the browser reads it, without line breaks, because they could hide a token. */
function toPicture(claim: unknown): string | null {
  if (typeof claim !== 'string' || !isSecureUrl(claim)) return null;
  const { href } = new URL(claim);
  return href.length <= maxPictureLength ? href : null;
}
