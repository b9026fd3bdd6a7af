// Writes discovery documents in short.

import type { DiscoveryDocument } from './shape.ts';

/** Endpoints as paths below a base, or as whole URLs. */
interface Endpoints {
  readonly authorize: string;
  readonly token: string;
  readonly keys: string;
  readonly userInfo?: string;
  readonly revoke?: string;
  readonly logout?: string;
  readonly par?: string;
  /** Whether redirects carry `iss` (RFC 9207). Default false. */
  readonly sendsIssuer?: boolean;
}

/** Writes the discovery document of `issuer`, whose endpoints are below `base`. */
export function toDocument(issuer: string, base: string, endpoints: Endpoints): DiscoveryDocument {
  const toUrl = (path: string) => (path.startsWith('/') ? base + path : path);
  const { authorize, token, keys, userInfo, revoke, logout, par, sendsIssuer = false } = endpoints;
  return {
    issuer,
    authorization_endpoint: toUrl(authorize),
    token_endpoint: toUrl(token),
    jwks_uri: toUrl(keys),
    id_token_signing_alg_values_supported: ['RS256'],
    ...(userInfo !== undefined && { userinfo_endpoint: toUrl(userInfo) }),
    ...(revoke !== undefined && { revocation_endpoint: toUrl(revoke) }),
    ...(logout !== undefined && { end_session_endpoint: toUrl(logout) }),
    ...(par !== undefined && { pushed_authorization_request_endpoint: toUrl(par) }),
    ...(sendsIssuer && { authorization_response_iss_parameter_supported: true }),
  };
}
