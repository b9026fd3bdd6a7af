// DPoP (RFC 9449): tokens that are bound to a key of this browser, and the proofs that it holds the key.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { ProblemError } from '../session/problem.ts';
import type { ProviderClient } from './provider-client.ts';
import type { Metadata } from './discover.ts';

const algorithm = 'ES256';

/** A new key pair for the tokens of one sign-in. Its private key cannot be read, only used. */
export function generateDpopKey(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
}

/**
 * Whether a sign-in with this provider is to bind its tokens to a key. A provider that says nothing of DPoP may
 * support it all the same: where DPoP is required, its answer tells. Throws {@link ProblemError}
 * `provider-misconfigured` where DPoP is required and the provider takes other proofs than ours.
 */
export function wantsDpop({ dpop }: Provider, metadata: Metadata): boolean {
  const offered = metadata.dpop_signing_alg_values_supported;
  if (dpop === 'required' && offered?.includes(algorithm) === false) {
    throw new ProblemError('provider-misconfigured', `DPoP: the provider takes no ${algorithm} proofs`);
  }
  return dpop === 'required' || (dpop === 'auto' && offered?.includes(algorithm) === true);
}

/** The name of a key (RFC 7638), by which the authorization code is bound to it (section 10). */
export function toThumbprint(dpopKey: CryptoKeyPair): Promise<string> {
  return oauth.DPoP({}, dpopKey).calculateThumbprint();
}

/**
 * Sends a request with a proof, if there is a key, and sends it once more if the server demands a nonce in its
 * proofs (sections 8 and 9). The newest nonce of each server is kept for the requests that follow. `request` is
 * to read the answer as well, because the demand stands there.
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
 * Throws {@link ProblemError} `response-rejected` for a token that cannot be presented without a key, and for a
 * Bearer token where DPoP is required (section 5).
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

/** A key that is read from storage is another object each time, so its handle is found by its thumbprint. */
async function findHandle(
  { dpopHandles, nowSeconds }: ProviderClient,
  dpopKey: CryptoKeyPair,
): Promise<oauth.DPoPHandle> {
  const thumbprint = await toThumbprint(dpopKey);
  const handle =
    dpopHandles.get(thumbprint) ??
    oauth.DPoP({}, dpopKey, {
      // By the clock as it is known at each proof; the library would keep to the one of the first.
      [oauth.modifyAssertion]: (_header, payload) => void (payload['iat'] = nowSeconds()),
    });
  dpopHandles.set(thumbprint, handle);
  return handle;
}
