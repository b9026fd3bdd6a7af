// A flow: the steps in which the ways to sign in through a window differ, and the function that completes each of them.

import * as oauth from 'oauth4webapi';
import { safe, detail } from '../session/detail.ts';
import {
  createAuthorizationRequest,
  readAuthorizationResponse,
  type AuthorizationRequest,
  type CodeRequest,
} from './authorize.ts';
import { rejectClaim } from './claim-error.ts';
import type { Metadata } from './discover.ts';
import type { KeySource } from './id-token.ts';
import type { ProviderClient } from './provider-client.ts';
import { byIdToken, requestSignIn, type Identify, type SignedInTokens } from './redeem.ts';

export interface Flow {
  /** Creates the request. Throws {@link ProblemError}. */
  readonly createRequest: (
    ...args: Parameters<typeof createAuthorizationRequest>
  ) => Promise<AuthorizationRequest>;
  /** Validates the URL at which the sign-in window ended, and returns its parameters. Throws {@link ProblemError}. */
  readonly readResponse: typeof readAuthorizationResponse;
  /** Names the token request in a problem. A plain text, so that the bundler can leave out a flow that no provider uses. */
  readonly step: 'token' | 'sign-in';
  /** Gets the token response. `request` is one that `createRequest` has created. */
  getTokenResponse(
    client: ProviderClient,
    metadata: Metadata,
    request: AuthorizationRequest,
    parameters: URLSearchParams,
    proof: oauth.DPoPRequestOptions,
  ): Promise<Response>;
  readonly identify: Identify;
}

/**
 * Validates the URL at which the sign-in window ended, and returns the verified tokens. `request` is one that
 * `createRequest` of this flow has created. If a check fails, no token is returned, and the caller must revoke the
 * refresh token that `findDroppedToken` finds in the error. Throws {@link ProblemError}.
 */
export async function completeSignIn(
  { readResponse, getTokenResponse, identify, step }: Flow,
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  responseUrl: string,
  dpopKey: CryptoKeyPair | null,
): Promise<SignedInTokens> {
  const parameters = await readResponse(client, metadata, request, responseUrl);
  const { acrValues, maxAgeSeconds } = request.expected;
  return requestSignIn(identify, {
    client,
    metadata,
    keys,
    dpopKey,
    step: safe(step),
    acrValues,
    send: (proof) => getTokenResponse(client, metadata, request, parameters, proof),
    process(response) {
      const ofIdToken = {
        expectedNonce: request.nonce,
        ...(maxAgeSeconds !== null && { maxAge: maxAgeSeconds }),
      };
      const checks = client.provider.userApi === null ? ofIdToken : {};
      return oauth.processAuthorizationCodeResponse(metadata, client.oauthClient(), response, checks);
    },
    check: (signedIn) => expectSameIssuer(parameters, signedIn),
  });
}

/** The ID token and the redirect name the same issuer (RFC 9207 section 2.4), which matters if there are several. */
function expectSameIssuer(parameters: URLSearchParams, { issuer, claims }: SignedInTokens): void {
  const named = parameters.get('iss') ?? '';
  if (named === '' || named === issuer) return;
  throw rejectClaim('iss', claims, detail`another issuer than that of the redirect`);
}

/** The authorization code flow (RFC 6749 section 4.1), in which `identify` finds out who the user is. */
export const createCodeFlow = (identify: Identify): Flow => ({
  createRequest: createAuthorizationRequest,
  readResponse: readAuthorizationResponse,
  step: 'token',
  getTokenResponse(client, metadata, request: CodeRequest, parameters, proof) {
    const { redirectUri, codeVerifier, tokenParameters } = request;
    return oauth.authorizationCodeGrantRequest(
      metadata,
      client.oauthClient(),
      client.authentication,
      parameters,
      redirectUri,
      codeVerifier,
      { ...client.atOnceOptions, ...proof, additionalParameters: tokenParameters },
    );
  },
  identify,
});

/** The authorization code flow with an ID token (OpenID Connect Core 3.1). */
export const codeFlow = createCodeFlow(byIdToken);
