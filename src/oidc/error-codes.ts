// The error codes that a detail may repeat. A provider could put anything in their place, so any other stays out.

import { trusted, words, type Detail } from '../session/detail.ts';

/** RFC 6749 sections 4.1.2.1 and 5.2, and OpenID Connect Core 3.1.2.6. */
const basic = `
access_denied invalid_client invalid_grant invalid_request invalid_scope server_error temporarily_unavailable
unauthorized_client unsupported_grant_type unsupported_response_type
account_selection_required consent_required interaction_required invalid_request_object invalid_request_uri
login_required registration_not_supported request_not_supported request_uri_not_supported`;

/**
 * RFC 6750 (section 3.1), RFC 7009 (2.2.1), RFC 8628 (3.5), RFC 8707 (2), RFC 9449 (5 and 8), RFC 9470 (3) and Unmet
 * Authentication Requirements 1.0.
 */
const further = `
insufficient_scope invalid_token unsupported_token_type authorization_pending expired_token slow_down invalid_target
invalid_dpop_proof use_dpop_nonce insufficient_user_authentication unmet_authentication_requirements`;

/** Not standardized for our requests, but in use. */
const customary = 'invalid_redirect invalid_redirect_uri redirect_mismatch redirect_uri_mismatch';

const known: readonly string[] = `${basic} ${further} ${customary}`.trim().split(/\s+/);

/** An error code as a detail: itself, if it is one of those above. */
export function toSafeCode(code: string): Detail {
  return known.includes(code) ? trusted(code) : words`an error code of its own`;
}
