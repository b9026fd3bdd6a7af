// The words of our own details and of the standards. A provider that makes one of them a token or a name has made it
// public, and to hide it would only spoil the detail.

const words = `
access_denied access_token account_selection_required acr_values authorization_code authorization_endpoint
audience authorization authorized browser address answered authentication answer another asked at_hash auth_time
azp body characters check claim client calls client_id clientid clock code_challenge code_verifier configured consent_required configuration
contexts correct current cannot device device_code discovery dpop_jkt email_verified endpoint end_session_endpoint
error_description example expected expiration expired extension failed follows fragment future granted header host
http https identity id_token id_token_hint interaction_required internal invalid
invalid_client invalid_dpop_proof invalid_grant invalid_redirect_uri invalid_request invalid_request_object
invalid_request_uri invalid_scope invalid_target invalid_token insufficient_scope issued issuer itself jwks_uri larger
localhost login_hint login_required message metadata mismatch missing network nonce offline_access openid openid-configuration parameter
password permission person post_logout_redirect_uri preferred_username production profile properties property
protected provider proof public pushed pushed_authorization_request_endpoint redirect redirect_mismatch redirect_uri
redirect_uri_mismatch redirects refresh_token refused registered registration registration_not_supported rejected
renewal repeated request request_not_supported request_uri request_uri_not_supported requested requests required
resource responded response response_type revocation revocation_endpoint scopes server_error session should signature sign-in
sign-out signed signing page status string subject supported temporarily_unavailable timestamp token tokens
token_endpoint token_type trustedAudiences typ unauthorized_client unexpected unknown unmet_authentication_requirements
unsupported unsupported_grant_type unsupported_response_type unsupported_token_type urn:ietf:params:oauth:
urn:ietf:params:oauth:request_uri: use_dpop_nonce userinfo userinfo_endpoint value verification verified well-known wrong
`;

const ordinary = words.toLowerCase().split(/\s+/).join(' ');

/** Whether a text in lower case is a word of ours, or a part of one. */
export function isOrdinary(lower: string): boolean {
  return ordinary.includes(lower);
}
