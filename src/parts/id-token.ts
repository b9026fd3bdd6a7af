// The implicit flow with an ID token alone (OpenID Connect Core 3.2): the sign-in page responds with the ID token itself,
// in the fragment of the redirect. For providers that redeem a code only for a client with a secret.

import * as oauth from 'oauth4webapi';
import { toWholeScope, createRequest, readRedirectAnswer } from '../oidc/authorize.ts';
import { byIdToken, type Flow, type Identify } from '../oidc/code-flow.ts';
import type { ProviderClient } from '../oidc/http.ts';
import { rejectRedirect } from '../oidc/redirect.ts';
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

/** Parameters that a response of this flow never has. A response with one belongs to another request. */
const foreign = ['code', 'access_token', 'refresh_token', 'token', 'response'];

/**
 * Validates the URL at which the sign-in window ended, and returns the parameters of its fragment (OpenID Connect Core
 * 3.2.2.5). Checks, in this order: the redirect URI; that either an ID token or an error is present and no other response; the
 * issuer (RFC 9207 section 2.4); the state; the provider's error.
 *
 * Throws {@link ProblemError}: `response-rejected` if a check fails, or the code for the provider's error.
 */
export function readIdTokenResponse(
  ...[client, metadata, request, responseUrl]: Parameters<Flow['readResponse']>
): Promise<URLSearchParams> {
  return readRedirectAnswer(client, metadata, request, responseUrl, 'fragment', (parameters, expected) => {
    const found = foreign.find((name) => parameters.has(name));
    if (found !== undefined)
      throw rejectRedirect(detail`"${safe(found)}" in the fragment, which was not asked for`);
    if (parameters.has('id_token') === parameters.has('error'))
      throw rejectRedirect(detail`expected either an ID token or an error`);
    // oauth4webapi reads responses of the code flow, and refuses an ID token there.
    const others = new URLSearchParams(parameters);
    others.delete('id_token');
    const metadataOfAnswer = {
      ...expected,
      // An ID token names the issuer itself, and then providers leave this parameter out.
      ...(parameters.has('id_token') && { authorization_response_iss_parameter_supported: false }),
    };
    oauth.validateAuthResponse(metadataOfAnswer, client.oauthClient(), others, request.state);
    return parameters;
  });
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
