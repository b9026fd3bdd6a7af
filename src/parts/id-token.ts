// The implicit flow with an ID token alone (OpenID Connect Core 3.2): the sign-in page answers with the ID token itself,
// in the fragment of the redirect. For providers that redeem a code only for a client with a secret.

import * as oauth from 'oauth4webapi';
import { toWholeScope, createRequest, type AuthorizationRequest } from '../oidc/authorize.ts';
import { type Metadata, toResponseMetadata } from '../oidc/discover.ts';
import { byIdToken, type Flow, type Identify } from '../oidc/code-flow.ts';
import type { ProviderClient } from '../oidc/http.ts';
import { notOurUri, rejectRedirect, repeatsName, splitFragment } from '../oidc/redirect.ts';
import { toProblemError } from '../oidc/problems.ts';
import { safe, detail } from '../session/detail.ts';
import { maxLifetimeSeconds, type IdTokenSet } from '../oidc/tokens.ts';
import type { Part } from '../background/part.ts';
import { findIdTokenMistakes } from '../config/rules.ts';

/** The implicit flow with `response_type=id_token`. Its tokens have no access token and no refresh token. */
export const idTokenFlow: Flow = {
  createRequest: (client, metadata, redirectUri, options = {}) =>
    createRequest(client, metadata, redirectUri, options, {
      response_type: 'id_token',
      scope: withoutOffline(toWholeScope(client.provider, options.additional ?? {})),
    }),
  readResponse: readIdTokenResponse,
  step: 'sign-in',
  async getTokenResponse(_client, _metadata, _request, parameters) {
    // oauth4webapi only reads an ID token from a token response. Nothing uses the access token of this one.
    const members = { access_token: 'none', token_type: 'Bearer', id_token: parameters.get('id_token') };
    return Response.json(members);
  },
  identify: byIdTokenAlone,
};

/** The same checks as for an ID token from the token endpoint (OpenID Connect Core 3.2.2.11). */
async function byIdTokenAlone(...[verification, answer]: Parameters<Identify>) {
  const obtained = await byIdToken(verification, answer);
  const exp = Number(obtained.claims['exp']);
  return { ...obtained, tokens: toIdTokenSet(verification.client, String(answer.id_token), exp) };
}

/** It only has a meaning in the code flow (OpenID Connect Core section 11), and some providers refuse it elsewhere. */
function withoutOffline(scope: string): string {
  return scope
    .split(' ')
    .filter((name) => name !== 'offline_access')
    .join(' ');
}

/**
 * Validates a redirect and returns the parameters of its fragment (OAuth 2.0 Multiple Response Type Encoding Practices,
 * section 2.1). Like `readRedirect` it compares origin and path, and
 * rejects repeated parameters. An answer in the query doesn't count, because a browser would have sent it to a server. So a
 * query is rejected, whatever the fragment holds.
 *
 * Throws {@link ProblemError} `response-rejected`.
 */
export function readFragment(redirectUri: string, responseUrl: string): URLSearchParams {
  const { url, fragment } = splitFragment(responseUrl);
  // Comparing the whole text also rejects ports, credentials and other spellings.
  if (url !== redirectUri) {
    const isQuery = url.startsWith(`${redirectUri}?`);
    throw rejectRedirect(isQuery ? detail`a query, where the answer has to be in the fragment` : notOurUri);
  }
  if (fragment === null) throw rejectRedirect(detail`no fragment, where the answer has to be`);
  // URLSearchParams would skip a "?" at the beginning.
  if (fragment.startsWith('?')) throw rejectRedirect(detail`a fragment without parameters`);
  const parameters = new URLSearchParams(fragment);
  if (repeatsName(parameters)) throw rejectRedirect(detail`a parameter is repeated`);
  return parameters;
}

/** Parameters that a response of this flow never has. A response with one belongs to another request. */
const foreign = ['code', 'access_token', 'refresh_token', 'token', 'response'];

/**
 * Validates the URL at which the sign-in window ended, and returns the parameters of its fragment (OpenID Connect Core
 * 3.2.2.5). Checks, in this order: the redirect URI; that there is no query; that either an ID token or an error is
 * present and no other answer; the issuer (RFC 9207 section 2.4); the state; the provider's error.
 *
 * Throws {@link ProblemError}: `response-rejected` if a check fails, or the code for the provider's error.
 */
export async function readIdTokenResponse(
  client: ProviderClient,
  metadata: Metadata,
  { redirectUri, state }: AuthorizationRequest,
  responseUrl: string,
): Promise<URLSearchParams> {
  try {
    const parameters = readFragment(redirectUri, responseUrl);
    const found = foreign.find((name) => parameters.has(name));
    if (found !== undefined)
      throw rejectRedirect(detail`"${safe(found)}" in the fragment, which was not asked for`);
    const [answer, ...others] = ['id_token', 'error'].filter((name) => parameters.has(name));
    if (answer === undefined || others.length > 0 || !parameters.get(answer)) {
      throw rejectRedirect(detail`expected either an ID token or an error`);
    }
    const expected = {
      ...toResponseMetadata(metadata, parameters.get('iss')),
      // An ID token names the issuer itself, and then providers leave this parameter out.
      ...(answer === 'id_token' && { authorization_response_iss_parameter_supported: false }),
    };
    // oauth4webapi reads responses of the code flow, and refuses an ID token there.
    const withoutToken = new URLSearchParams(parameters);
    withoutToken.delete('id_token');
    oauth.validateAuthResponse(expected, client.oauthClient(), withoutToken, state);
    return parameters;
  } catch (error) {
    throw toProblemError(client, detail`sign-in`, error);
  }
}

/** The token set of a verified ID token. `exp` is by the provider's clock. */
function toIdTokenSet({ nowSeconds, world }: ProviderClient, idToken: string, exp: number): IdTokenSet {
  const lifetimeSeconds = Math.min(exp - nowSeconds(), maxLifetimeSeconds);
  return {
    type: 'id_token',
    idToken,
    expiresAtMs: world.nowMs() + lifetimeSeconds * 1000,
    refreshToken: null,
  };
}

export const part: Part = {
  flowOf: ({ userApi, responseType }) =>
    userApi === null && responseType === 'id_token' ? idTokenFlow : null,
  findMistakes: findIdTokenMistakes,
};
