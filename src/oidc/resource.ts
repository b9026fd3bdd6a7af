// Sends a request to a protected API with its token: as Bearer (RFC 6750), or with a DPoP proof of the
// key that the token is bound to (RFC 9449 section 7).

import * as oauth from 'oauth4webapi';
import { withoutLongChallenge } from './body.ts';
import type { ProviderClient } from './provider-client.ts';
import { withProof } from './dpop.ts';
import { toApiToken, type TokenSet } from './tokens.ts';

/** The parts of the request that the proof covers, and the headers to extend. */
interface ResourceRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
}

/**
 * Adds the token to the headers and calls `send` with them; twice if the API demands a DPoP nonce. Returns
 * the response whatever its status, with the body unread. Throws what `send` throws.
 */
export async function requestResource(
  client: ProviderClient,
  tokens: TokenSet,
  dpopKey: CryptoKeyPair | null,
  { url, method, headers }: ResourceRequest,
  send: (headers: HeadersInit) => Promise<Response>,
): Promise<Response> {
  let last = null as Response | null;
  const sendAgain = async (withToken: HeadersInit): Promise<Response> => {
    // Frees the connection. A body that has failed has already freed it.
    last?.body?.cancel().catch(() => undefined);
    return (last = await send(withToken));
  };
  try {
    const response = await withProof(client, tokens.type === 'DPoP' ? dpopKey : null, (proof) =>
      oauth.protectedResourceRequest(toApiToken(tokens), method, new URL(url), headers, null, {
        ...client.options,
        ...proof,
        [oauth.customFetch]: async (_url, request) => toReadable(await sendAgain(request.headers)),
      }),
    );
    return last ?? response;
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
    throw error;
  }
}

/** Errors of the proof (RFC 9449 sections 7.1 and 9), and the demand for another authentication (RFC 9470 section 3). */
const otherErrors = /\b(?:invalid_dpop_proof|use_dpop_nonce|insufficient_user_authentication)\b/;

/** Whether an API's response refuses the token itself (RFC 6750 section 3.1). */
export function isTokenRefused({ status, headers }: Response): boolean {
  return status === 401 && !otherErrors.test(headers.get('www-authenticate') ?? '');
}

/** The response for oauth4webapi: itself, or only its head if the challenge is too long to be read. */
function toReadable(response: Response): Response {
  const headers = withoutLongChallenge(response.headers);
  if (headers === response.headers) return response;
  return new Response(null, { status: response.status, headers });
}
