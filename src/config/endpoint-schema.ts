// The valibot schema of a provider's settings for its endpoints: which ones it has, and how they are used.

import * as v from 'valibot';
import { once } from '../concurrency.ts';
import { checkEndpoint } from './url.ts';
import { checkedString, listOf, matching, oneOf, record, strictObject } from './value-schema.ts';

const endpoint = () => checkedString('an endpoint, such as "https://id.example.com/token"', checkEndpoint);
const optionalEndpoint = () =>
  v.exactOptional(
    v.nullable(checkedString('an endpoint, such as "https://id.example.com/token", or null', checkEndpoint)),
  );

/** Public-key algorithms only: `none` and `HS…` prove nothing to a client without a secret. */
const signingAlgorithm = () =>
  matching(/^([RPE]S(256|384|512)|Ed25519|EdDSA)$/, 'a public-key algorithm, such as "RS256" or "ES256"');

/** The metadata that may be configured, by its names in discovery. */
export const metadataEntries = once(() => ({
  /** The sign-in page. */
  authorization_endpoint: v.exactOptional(endpoint()),
  /** Exchanges codes and refresh tokens for tokens. */
  token_endpoint: v.exactOptional(endpoint()),
  /** The keys for verifying ID tokens. */
  jwks_uri: v.exactOptional(endpoint()),
  /** Has a name, email address or picture that the ID token lacks. */
  userinfo_endpoint: optionalEndpoint(),
  /** Revokes the session's token at sign-out (RFC 7009). */
  revocation_endpoint: optionalEndpoint(),
  /** The page that ends the session at the provider (RP-Initiated Logout). */
  end_session_endpoint: optionalEndpoint(),
  /** Receives pushed authorization requests (PAR, RFC 9126). */
  pushed_authorization_request_endpoint: optionalEndpoint(),
  /** Issues the codes of "deviceFlow" (RFC 8628). */
  device_authorization_endpoint: optionalEndpoint(),
  /** The accepted signature algorithms of ID tokens. */
  id_token_signing_alg_values_supported: v.exactOptional(
    listOf(signingAlgorithm(), 1, 20, 'a list of 1 to 20 algorithms, such as ["RS256"]'),
  ),
}));

/** The parameters of the end-session request (RP-Initiated Logout 1.0, section 2), by what they carry. */
export const logoutEntries = once(() => ({
  /** The ID token, which identifies the session to end. */
  idToken: logoutParameter('id_token_hint'),
  /** The client ID. */
  clientId: logoutParameter('client_id'),
  /** The redirect URI to return to. */
  redirectUri: logoutParameter('post_logout_redirect_uri'),
  /** A random value, which the provider must return. With null, any return to the redirect URI counts. */
  state: logoutParameter('state'),
}));

const memberPath = () =>
  matching(
    /^[\w-]{1,60}(\.[\w-]{1,60}){0,7}$/,
    'the path of a member of the response, such as "id", "data.id" or "images.0.url"',
  );

/** The API that says who has signed in, at a provider without ID tokens. */
export const userApiEntries = once(() => ({
  /** Responds to GET requests with JSON. Its host is the issuer's, or one of "origins" or "apiOrigins". */
  url: checkedString(
    'the address of the API that says who has signed in, such as "https://api.example.com/user"',
    checkEndpoint,
  ),
  /** The user's permanent ID: text or a whole number. Not a name or email address, which may pass to a different user. */
  subject: memberPath(),
  /** The name to show. */
  name: v.nullish(memberPath(), null),
  /** The email address to show. */
  email: v.nullish(memberPath(), null),
  /** True if the email address is the user's. "allowed" needs it for "email". */
  emailVerified: v.nullish(memberPath(), null),
  /** The https: URL of a picture. */
  picture: v.nullish(memberPath(), null),
  /** Additional headers, such as an API version. Headers that the extension sets are refused, and secrets too. */
  headers: v.optional(
    record(
      'an object with a string for each header',
      matching(/^[A-Za-z\d-]{1,60}$/, 'a header name of letters, digits and "-"'),
      matching(/^[!-~]([ -~]{0,198}[!-~])?$/, '1 to 200 ASCII characters'),
    ),
    {},
  ),
}));

export const endpointEntries = () => ({
  /**
   * When to push the authorization request (PAR, RFC 9126), which costs one more round trip. "auto": if the provider requires
   * it. "always": falls back to a plain request unless the provider requires it.
   */
  par: oneOf(['auto', 'always', 'off']),
  /**
   * When to bind tokens to a key that can't leave the browser (DPoP, RFC 9449), if your APIs support that. "auto": if the
   * provider does. "required": Bearer tokens are rejected.
   */
  dpop: oneOf(['off', 'auto', 'required']),
  /**
   * When people sign in with a code, which they enter on a page of the provider (RFC 8628). "fallback": where the browser has
   * no sign-in window. "only": always.
   */
  deviceFlow: oneOf(['off', 'fallback', 'only']),
  /** The names of the logout parameters, by what they carry. Set one to null to leave it out. */
  logoutParameters: v.optional(strictObject('an object of parameter names', logoutEntries()), {}),
  /**
   * Endpoints in place of those in the discovery document. Set an optional one to null to turn it off. With
   * "authorization_endpoint", "token_endpoint" (not in the ID token flow) and "jwks_uri" (not with "userApi"), the document isn't
   * loaded.
   */
  metadata: v.nullish(strictObject('an object of endpoints', metadataEntries()), null),
  /**
   * The endpoint that returns the user, at a provider without ID tokens. Each member but "url" and "headers" is a path in its
   * response: up to eight names of letters, digits, "_" and "-", such as "id", "data.id" or, with an index, "images.0.url".
   */
  userApi: v.nullish(strictObject('an object with "url" and "subject"', userApiEntries()), null),
});

function logoutParameter(standardName: string) {
  const expected = `the name of a parameter, such as "${standardName}", or null`;
  return v.optional(v.nullable(matching(/^[A-Za-z\d._-]+$/, expected)), standardName);
}
