// What a provider's token answer becomes: the token set that the vault keeps, and the person that everyone sees.

import type * as oauth from 'oauth4webapi';
import { isSecureUrl } from '../config/origins.ts';
import type { Profile, ProviderId } from '../session/session.ts';

export interface TokenSet {
  /** How the access token is presented. A set that was kept before there were two ways does not say: Bearer. */
  readonly type?: 'Bearer' | 'DPoP';
  readonly accessToken: string;
  readonly expiresAtMs: number;
  readonly refreshToken: string | null;
  /** The newest ID token, for the provider's logout. */
  readonly idToken: string | null;
}

/** The lifetime of an access token whose provider does not tell it (RFC 6749 section 5.1 only recommends to). */
export const unknownLifetimeSeconds = 5 * 60;
const maxLifetimeSeconds = 24 * 60 * 60;
/** An access token is renewed this long before it ends, so that a request under way does not outlive it. */
const renewAheadMs = 30_000;

/**
 * The token set of an answer. What the answer leaves out is kept from `previous`: a refresh token that was not
 * replaced stays valid (RFC 6749 section 6).
 */
export function toTokenSet(
  answer: oauth.TokenEndpointResponse,
  receivedAtMs: number,
  previous: TokenSet | null = null,
): TokenSet {
  const lifetimeSeconds = Math.min(answer.expires_in ?? unknownLifetimeSeconds, maxLifetimeSeconds);
  return {
    type: answer.token_type === 'dpop' ? 'DPoP' : 'Bearer',
    accessToken: answer.access_token,
    expiresAtMs: receivedAtMs + lifetimeSeconds * 1000,
    refreshToken: answer.refresh_token ?? previous?.refreshToken ?? null,
    idToken: answer.id_token ?? previous?.idToken ?? null,
  };
}

/** Whether the access token has ended, or will before a request could be answered. */
export function isStale({ expiresAtMs }: TokenSet, nowMs: number): boolean {
  return nowMs >= expiresAtMs - renewAheadMs;
}

/** The claims that a profile is made of, as unknown as they come. */
export type ProfileClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * The person of verified claims (OpenID Connect Core section 5.1). Each text is one line of bounded length,
 * and a picture is an https URL or none. Two sets of claims of one person may be laid over one another first.
 */
export function toProfile(providerId: ProviderId, claims: ProfileClaims): Profile {
  const fullName = [claims['given_name'], claims['family_name']]
    .map((part) => toLine(part, 100))
    .filter(Boolean);
  const email = toLine(claims['email'], 320);
  return {
    providerId,
    subject: claims.sub,
    name: toLine(claims['name'], 200) ?? (fullName.join(' ') || toLine(claims['preferred_username'], 200)),
    email,
    emailVerified: email !== null && claims['email_verified'] === true,
    picture: toPicture(claims['picture']),
  };
}

/** Whether UserInfo could still tell something about the person. */
export function isIncomplete({ name, email, picture }: Profile): boolean {
  return name === null || email === null || picture === null;
}

/** One line of visible text: no control or direction-override characters, never longer than `longest`. */
function toLine(claim: unknown, longest: number): string | null {
  if (typeof claim !== 'string') return null;
  const line = claim.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return line === '' ? null : Array.from(line).slice(0, longest).join('');
}

function toPicture(claim: unknown): string | null {
  return typeof claim === 'string' && claim.length <= 2048 && isSecureUrl(claim) ? claim : null;
}
