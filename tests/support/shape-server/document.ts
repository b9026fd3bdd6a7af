// Writes shapes and discovery documents in short.

import type { DiscoveryDocument, Shape } from './shape.ts';

/** A feature that a provider may have: an endpoint, or `iss` in its redirects (RFC 9207). */
type Optional = 'revoke' | 'logout' | 'par' | 'iss';

type Endpoint = 'authorize' | 'token' | 'keys' | 'userInfo' | Exclude<Optional, 'iss'>;

/**
 * Writes the discovery document of `issuer`. Its endpoints are below the issuer, or at the origins in `elsewhere`. Their paths are
 * made up: nothing depends on them.
 */
export function toDocument(
  issuer: string,
  more: readonly Optional[],
  elsewhere: Differences['elsewhere'] = {},
): DiscoveryDocument {
  const base = elsewhere.all ?? issuer.replace(/\/$/, '');
  const at = (name: Endpoint) => `${elsewhere[name] ?? base}/${name}`;
  return {
    issuer,
    authorization_endpoint: at('authorize'),
    token_endpoint: at('token'),
    jwks_uri: at('keys'),
    userinfo_endpoint: at('userInfo'),
    id_token_signing_alg_values_supported: ['RS256'],
    ...(more.includes('revoke') && { revocation_endpoint: at('revoke') }),
    ...(more.includes('logout') && { end_session_endpoint: at('logout') }),
    ...(more.includes('par') && { pushed_authorization_request_endpoint: at('par') }),
    ...(more.includes('iss') && { authorization_response_iss_parameter_supported: true }),
  };
}

interface Differences extends Partial<Omit<Shape, 'profile'>> {
  /** The origins of endpoints that are not below the issuer. */
  readonly elsewhere?: Partial<Record<Endpoint | 'all', string>>;
}

/** The shape of a provider that has one issuer for everyone. */
export function ofOne(
  profile: string,
  issuer: string,
  more: readonly Optional[],
  { elsewhere, ...differences }: Differences = {},
): Shape {
  return { profile, team: {}, document: toDocument(issuer, more, elsewhere), ...differences };
}

/** The shape of a provider whose issuer is one of the team. */
export function ofTeam(
  profile: string,
  issuer: string,
  more: readonly Optional[],
  { team, ...differences }: Differences = {},
): Shape {
  return ofOne(profile, issuer, more, { ...differences, team: { issuer, ...team } });
}

/** The answer to a refresh token that doesn't work: an error of OAuth, with further members. */
export const refuse = (
  status: number,
  error: string,
  error_description: string,
  more: object = {},
): NonNullable<Shape['refusal']> => ({ status, body: { error, error_description, ...more } });
