// The words of our own details and of the standards. A provider that makes one of them a token or a name has made it
// public, and to hide it would only spoil the detail. All are in lower case, and none is a part of another one.

const words = `
access_denied access_token account_selection_required acr_values authorization_code authorization_endpoint
audience browser address answered another asked at_hash auth_time azp body characters check claim calls
client_id clientid clock code_challenge code_verifier configured consent_required contexts correct current
cannot device_code discovery dpop_jkt email_verified end_session_endpoint error_description example expiration
expired extension failed follows fragment future granted header https identity id_token_hint
interaction_required internal invalid_client invalid_dpop_proof invalid_grant invalid_redirect_uri
invalid_request_object invalid_request_uri invalid_scope invalid_target invalid_token insufficient_scope issued
issuer itself jwks_uri larger localhost login_hint login_required message metadata missing network
offline_access openid-configuration parameter password permission person post_logout_redirect_uri
preferred_username production profile properties property protected provider public
pushed_authorization_request_endpoint redirect_mismatch redirect_uri_mismatch redirects refresh_token refused
registered registration_not_supported rejected renewal repeated request_not_supported request_uri_not_supported
requested requests resource responded revocation_endpoint scopes server_error should signature sign-in sign-out
signed signing page status string subject temporarily_unavailable timestamp tokens token_endpoint
trustedaudiences unauthorized_client unexpected unknown unmet_authentication_requirements unsupported_grant_type
unsupported_response_type unsupported_token_type urn:ietf:params:oauth:request_uri: use_dpop_nonce
userinfo_endpoint verification well-known wrong
`;

/** Whether a text in lower case is a word of ours, or a part of one. */
export function isOrdinary(lower: string): boolean {
  return words.includes(lower);
}
