// The implicit flow with an ID token alone (OpenID Connect Core 3.2): the sign-in page answers with the ID token itself,
// in the fragment of the redirect. For providers that redeem a code only for a client with a secret.

import { toWholeScope, createRequest, readAuthorizationResponse } from '../oidc/authorize.ts';
import { byIdToken, type Flow, type Identify } from '../oidc/code-flow.ts';
import type { ProviderClient } from '../oidc/http.ts';
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
async function byIdTokenAlone(...[verification, answer, response]: Parameters<Identify>) {
  const obtained = await byIdToken(verification, answer, response);
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

/** The same as {@link readAuthorizationResponse}, for an answer that is the ID token itself. */
export function readIdTokenResponse(
  ...[client, metadata, request, responseUrl]: Parameters<Flow['readResponse']>
): ReturnType<Flow['readResponse']> {
  return readAuthorizationResponse(client, metadata, request, responseUrl, 'id_token');
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
