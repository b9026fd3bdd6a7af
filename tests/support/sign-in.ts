// A whole sign-in with the protocol code of the extension, without a window.

import type { AuthorizationOptions } from '../../src/oidc/authorize.ts';
import { discover } from './discover.ts';
import type { Flow } from '../../src/oidc/flow.ts';
import type { ProviderClient } from '../../src/oidc/provider-client.ts';
import type { SignedInTokens } from '../../src/oidc/redeem.ts';
import { publishedKeys } from './keys.ts';

/** Signs in by `flow`. `open` gets the address of the sign-in page, and returns where the window ends. */
export async function signInBy(
  flow: Flow,
  client: ProviderClient,
  redirectUri: string,
  open: (url: string) => string | Promise<string>,
  options: AuthorizationOptions = {},
  dpopKey: CryptoKeyPair | null = null,
): Promise<SignedInTokens> {
  const metadata = await discover(client);
  const request = await flow.createRequest(client, metadata, redirectUri, options, dpopKey);
  const keys = publishedKeys(client, metadata);
  return flow.complete(client, metadata, keys, request, await open(request.url), dpopKey);
}
