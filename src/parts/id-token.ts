// The implicit flow with an ID token alone (OpenID Connect Core 3.2): the sign-in page responds with the ID token itself,
// in the fragment of the redirect. For providers that redeem a code only for a client with a secret.

import * as oauth from 'oauth4webapi';
import { toNames, toWholeScope, createRequest, readRedirectAnswer } from '../oidc/authorize.ts';
import { byIdToken, type Flow, type Identify } from '../oidc/code-flow.ts';
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
      // "offline_access" only has a meaning in the code flow (OpenID Connect Core section 11), and some refuse it elsewhere.
      scope: toNames(toWholeScope(client.provider, options.additional ?? {}))
        .filter((name) => name !== 'offline_access')
        .join(' '),
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
  const { nowSeconds, world } = verification.client;
  const obtained = await byIdToken(verification, answer);
  // `exp` is by the provider's clock.
  const lifetimeSeconds = Math.min(Number(obtained.claims['exp']) - nowSeconds(), maxLifetimeSeconds);
  const tokens: IdTokenSet = {
    type: 'id_token',
    idToken: String(answer.id_token),
    expiresAtMs: world.nowMs() + lifetimeSeconds * 1000,
    refreshToken: null,
  };
  return { ...obtained, tokens };
}

/** Parameters that a response of this flow never has. A response with one belongs to another request. */
const foreign = ['code', 'access_token', 'refresh_token', 'token', 'response'];

/**
 * Validates the URL at which the sign-in window ended, and returns the parameters of its fragment (OpenID Connect Core 3.2.2.5): either an
 * ID token or an error, and no other response. Otherwise checks and throws as the code flow does.
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
    oauth.validateAuthResponse(metadataOfAnswer, client.oauthClient, others, request.state);
    return parameters;
  });
}

export const part: Part = {
  flowOf: ({ userApi, responseType }) =>
    userApi === null && responseType === 'id_token' ? idTokenFlow : null,
  findMistakes: findIdTokenMistakes,
};
