// DPoP (RFC 9449): binds tokens to a key in this browser and proves possession of that key.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { ProblemError } from '../session/problem.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';

const algorithm = 'ES256';

/** Generates the key pair for the tokens of one sign-in. The private key is not extractable. */
export function generateDpopKey(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
}

/**
 * Whether a sign-in should bind its tokens to a key. If DPoP is required, metadata that does not mention it
 * is no obstacle: the token response shows whether the provider supports it. Throws {@link ProblemError}
 * `provider-misconfigured` if DPoP is required and the provider does not accept our algorithm.
 */
export function wantsDpop({ dpop }: Provider, metadata: Metadata): boolean {
  const offered = metadata.dpop_signing_alg_values_supported;
  if (dpop === 'required' && offered?.includes(algorithm) === false) {
    throw new ProblemError('provider-misconfigured', `DPoP: the provider takes no ${algorithm} proofs`);
  }
  return dpop === 'required' || (dpop === 'auto' && offered?.includes(algorithm) === true);
}

/** Returns the JWK thumbprint of a key (RFC 7638), which binds the authorization code to it (section 10). */
export function toThumbprint(dpopKey: CryptoKeyPair): Promise<string> {
  return oauth.DPoP({}, dpopKey).calculateThumbprint();
}

/**
 * Sends a request with a DPoP proof if there is a key, and retries it once if the server demands a nonce
 * (sections 8 and 9). Remembers the newest nonce of each server for later requests. `request` must also
 * process the response, because that is where the demand is detected.
 */
export async function withProof<T>(
  client: ProviderClient,
  dpopKey: CryptoKeyPair | null,
  request: (proof: oauth.DPoPRequestOptions) => Promise<T>,
): Promise<T> {
  if (dpopKey === null) return request({});
  const proof = { DPoP: await findHandle(client, dpopKey) };
  try {
    return await request(proof);
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return request(proof);
  }
}

/**
 * Checks the `token_type` of a token response. Throws {@link ProblemError} `response-rejected` for a DPoP
 * token without a key, and for a Bearer token where DPoP is required (section 5).
 */
export function expectTokenType(
  { dpop }: Provider,
  { token_type }: oauth.TokenEndpointResponse,
  dpopKey: CryptoKeyPair | null,
): void {
  if (token_type === 'dpop' ? dpopKey === null : dpop === 'required') {
    throw new ProblemError(
      'response-rejected',
      `token: the token_type is ${token_type}, which was not asked for`,
    );
  }
}

/** Finds the handle by thumbprint, because a key read from storage is a new object each time. */
async function findHandle(
  { dpopHandles, nowSeconds }: ProviderClient,
  dpopKey: CryptoKeyPair,
): Promise<oauth.DPoPHandle> {
  const thumbprint = await toThumbprint(dpopKey);
  const handle =
    dpopHandles.get(thumbprint) ??
    oauth.DPoP({}, dpopKey, {
      // oauth4webapi would keep the clock skew from when the handle was created.
      [oauth.modifyAssertion]: (_header, payload) => void (payload['iat'] = nowSeconds()),
    });
  dpopHandles.set(thumbprint, handle);
  return handle;
}
