// A flow: the authorization request that opens the sign-in page, and the way from its answer to verified tokens.

import * as oauth from 'oauth4webapi';
import { words } from '../session/detail.ts';
import {
  createAuthorizationRequest,
  readAuthorizationResponse,
  type AuthorizationRequest,
  type CodeRequest,
} from './authorize.ts';
import type { Metadata } from './discover.ts';
import type { KeySource } from './id-token.ts';
import type { ProviderClient } from './provider-client.ts';
import {
  byIdToken,
  expectSameIssuer,
  requestSignIn,
  toTokenChecks,
  type Identify,
  type SignedInTokens,
} from './redeem.ts';

export interface Flow {
  /** Creates the request. Throws {@link ProblemError}. */
  readonly createRequest: (
    ...args: Parameters<typeof createAuthorizationRequest>
  ) => Promise<AuthorizationRequest>;
  /**
   * Validates the URL at which the sign-in window ended, and returns the verified tokens. `request` is one that
   * `createRequest` of this flow has created. If a check fails, no token is returned, and the caller must revoke the
   * refresh token that `findDroppedToken` finds in the error. Throws {@link ProblemError}.
   */
  complete(
    client: ProviderClient,
    metadata: Metadata,
    keys: KeySource,
    request: AuthorizationRequest,
    responseUrl: string,
    dpopKey: CryptoKeyPair | null,
  ): Promise<SignedInTokens>;
}

/** The authorization code flow (RFC 6749 section 4.1), in which `identify` finds out who the person is. */
export const createCodeFlow = (identify: Identify): Flow => ({
  createRequest: createAuthorizationRequest,
  async complete(client, metadata, keys, request: CodeRequest, responseUrl, dpopKey) {
    const { oauthClient, authentication, atOnceOptions, provider } = client;
    const { expected, redirectUri, codeVerifier, tokenParameters } = request;
    const parameters = await readAuthorizationResponse(client, metadata, request, responseUrl);
    return requestSignIn(identify, {
      client,
      metadata,
      keys,
      dpopKey,
      step: words`token`,
      acrValues: expected.acrValues,
      send(proof) {
        return oauth.authorizationCodeGrantRequest(
          metadata,
          oauthClient(),
          authentication,
          parameters,
          redirectUri,
          codeVerifier,
          { ...atOnceOptions, ...proof, additionalParameters: tokenParameters },
        );
      },
      process(response) {
        // Only an ID token repeats the nonce.
        const checks = provider.userApi === null ? toTokenChecks(request) : {};
        return oauth.processAuthorizationCodeResponse(metadata, oauthClient(), response, checks);
      },
      check: (signedIn) => expectSameIssuer(parameters, signedIn),
    });
  },
});

/** The authorization code flow with an ID token (OpenID Connect Core 3.1). */
export const codeFlow = createCodeFlow(byIdToken);
