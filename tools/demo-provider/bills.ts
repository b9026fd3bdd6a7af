// The demo provider's second API: it only accepts tokens of its own, and one of its routes requires that the user has just
// confirmed who they are. It is at the provider's other address, 127.0.0.1 instead of localhost.

import type { AccessToken, Context } from 'oidc-provider';

export const billsResource = 'urn:latchkey-demo:bills';
/** The authentication context of a user who has just confirmed who they are. */
export const confirmedAcr = 'urn:latchkey-demo:confirmed';
const maxAgeSeconds = 300;

/** The API, in the form that oidc-provider expects. */
export const billsServer = { scope: 'bills.read', audience: billsResource, accessTokenFormat: 'opaque' };

/** How and when the user was authenticated, for the token that is issued: the API looks at them. */
export function toAuthenticationClaims({ oidc }: Context): object {
  const source = oidc?.entities?.['RefreshToken'] ?? oidc?.entities?.['AuthorizationCode'];
  return { acr: source?.acr, auth_time: source?.authTime };
}

/** The challenge for a user who hasn't recently confirmed who they are (RFC 9470 section 3); null for one who has. */
export function demandConfirmation({ extra }: AccessToken): string | null {
  const isRecent = Date.now() / 1000 - (extra?.auth_time ?? 0) <= maxAgeSeconds;
  if (isRecent && extra?.acr === confirmedAcr) return null;
  return `Bearer error="insufficient_user_authentication", acr_values="${confirmedAcr}", max_age="${maxAgeSeconds}"`;
}
