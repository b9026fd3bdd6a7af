// The demo provider's second API: it takes only tokens that are for it alone, and one of its routes only those of a person who
// has just confirmed who they are. It is at the provider's other address, 127.0.0.1 instead of localhost.

import type { AccessToken } from 'oidc-provider';

export const billsResource = 'urn:latchkey-demo:bills';
export const billsScope = 'bills.read';
/** The authentication context of a person who has just confirmed who they are. */
export const confirmedAcr = 'urn:latchkey-demo:confirmed';
const maxAgeSeconds = 300;

/** The challenge for a person who has not confirmed who they are lately (RFC 9470 section 3); null for one who has. */
export function demandConfirmation({ extra }: AccessToken): string | null {
  const isRecent = Date.now() / 1000 - (extra?.auth_time ?? 0) <= maxAgeSeconds;
  if (isRecent && extra?.acr === confirmedAcr) return null;
  return `Bearer error="insufficient_user_authentication", acr_values="${confirmedAcr}", max_age="${maxAgeSeconds}"`;
}
