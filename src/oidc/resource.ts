// A request to a protected API with the access token attached: as Bearer (RFC 6750), or with a proof of the key that
// the token is bound to (RFC 9449 section 7).

import * as oauth from 'oauth4webapi';
import type { ProviderClient } from './provider-client.ts';
import { withProof } from './dpop.ts';
import type { TokenSet } from './tokens.ts';

/** What the proof speaks of. */
interface ResourceRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
}

/**
 * Has `send` send the request with the headers that it is given, which hold the token; twice if the API demands a
 * nonce in its proofs. Resolves with the answer, whatever its status, and reads nothing of its body. Throws what
 * `send` throws.
 */
export async function requestResource(
  client: ProviderClient,
  tokens: TokenSet,
  dpopKey: CryptoKeyPair | null,
  { url, method, headers }: ResourceRequest,
  send: (headers: HeadersInit) => Promise<Response>,
): Promise<Response> {
  let unread: Response | null = null;
  const sendAgain = async (withToken: HeadersInit) => {
    // Else it would hold the connection. It may have broken off already, and then it is as it should be.
    unread?.body?.cancel().catch(() => undefined);
    unread = await send(withToken);
    return unread;
  };
  try {
    return await withProof(client, tokens.type === 'DPoP' ? dpopKey : null, (proof) =>
      oauth.protectedResourceRequest(tokens.accessToken, method, new URL(url), headers, null, {
        ...client.options,
        ...proof,
        [oauth.customFetch]: (_url, request) => sendAgain(request.headers),
      }),
    );
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
    throw error;
  }
}
