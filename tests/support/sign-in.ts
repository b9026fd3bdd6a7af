// A whole sign-in with the protocol code of the extension, without a window.

import type { AuthorizationOptions, AuthorizationRequest } from '../../src/oidc/authorize.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import { discover } from './discover.ts';
import { codeFlow, completeSignIn, type Flow, type Obtained } from '../../src/oidc/code-flow.ts';
import { toTokenClient, type ProviderClient, type TokenClient } from '../../src/oidc/http.ts';
import type { KeySource, OriginalClaims } from '../../src/oidc/id-token.ts';
import type { AccessTokenSet } from '../../src/oidc/tokens.ts';
import { publishedKeys } from './keys.ts';

/** The client for requests whose tokens are the test's. */
export const forTokens = (client: ProviderClient) => toTokenClient(client, () => undefined);

/** Verifies the address where the window ends, and then the tokens. */
export async function finishSignIn(
  flow: Flow,
  client: TokenClient,
  metadata: Metadata,
  keys: KeySource,
  request: AuthorizationRequest,
  responseUrl: string,
  dpopKey: CryptoKeyPair | null,
): Promise<Obtained> {
  const parameters = await flow.readResponse(client, metadata, request, responseUrl);
  return completeSignIn(flow, client, metadata, keys, request, parameters, dpopKey);
}

/** Signs in by `flow`. `open` gets the address of the sign-in page, and returns where the window ends. */
export async function signInBy(
  flow: Flow,
  client: ProviderClient | TokenClient,
  redirectUri: string,
  open: (url: string) => string | Promise<string>,
  options: AuthorizationOptions = {},
  dpopKey: CryptoKeyPair | null = null,
): Promise<Obtained> {
  const metadata = await discover(client);
  const request = await flow.createRequest(client, metadata, redirectUri, options, dpopKey);
  const keys = publishedKeys(client, metadata);
  const receiving = 'tokenOptions' in client ? client : forTokens(client);
  return finishSignIn(flow, receiving, metadata, keys, request, await open(request.url), dpopKey);
}

/** The result of {@link codeFlow}, which always has an access token and an ID token. */
export type RedeemedTokens = Obtained & {
  readonly tokens: AccessTokenSet;
  readonly originalClaims: OriginalClaims;
};

/** Signs in by the code flow. */
export const signInByCode = (
  ...args: Parameters<typeof signInBy> extends [Flow, ...infer Rest] ? Rest : never
) => signInBy(codeFlow, ...args) as Promise<RedeemedTokens>;
