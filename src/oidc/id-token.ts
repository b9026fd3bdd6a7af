// The checks of an ID token that oauth4webapi leaves to its caller: the signature, at_hash, extra audiences, azp
// beside a single one, the age, the subject's form. The rest (iss, aud, exp, nonce, auth_time) it has made by then.

import * as oauth from 'oauth4webapi';
import { ProblemError } from '../session/problem.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { clockToleranceSeconds, type ProviderClient } from './provider-client.ts';
import type { Keys, Metadata } from './discover.ts';
import { toProblemErrors } from './rejection.ts';

/** Where the provider's keys come from: the ones at hand, and newer ones when those do not fit. */
export interface KeySource {
  current(): Promise<Keys>;
  refetch(): Promise<Keys>;
}

/** A token is issued for this very request, so one that is older than this is not. */
const oldestSeconds = 10 * 60;

/**
 * Checks the claims of the ID token of a token answer that oauth4webapi has processed (OpenID Connect Core 3.1.3.7
 * and 3.1.3.8) and returns them. Throws {@link ProblemError} `response-rejected`.
 */
export async function checkIdToken(
  { provider, nowSeconds }: ProviderClient,
  answer: oauth.TokenEndpointResponse,
): Promise<oauth.IDToken> {
  const claims = oauth.getValidatedIdTokenClaims(answer);
  if (claims === undefined) throw reject('missing');
  await checkAccessTokenHash(answer, claims['at_hash']);

  const audiences = [claims.aud].flat();
  if (audiences.some((audience) => audience !== provider.clientId))
    throw reject('an audience that is not trusted');
  if (claims.azp !== undefined && claims.azp !== provider.clientId) throw reject("another party's [azp]");
  const age = nowSeconds() - claims.iat;
  const times = { cause: { claim: 'iat', claims } };
  if (age > oldestSeconds) throw reject('issued too long ago [iat]', times);
  if (age < -clockToleranceSeconds) throw reject('issued in the future [iat]', times);
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw reject('not a subject [sub]');
  return claims;
}

/**
 * Verifies the signature of that ID token; when no key at hand verifies it, the keys are asked for once more (10.1.1).
 * Throws {@link ProblemError} `response-rejected`, or what an exchange throws where the keys cannot be had.
 */
export function verifySignature(metadata: Metadata, keys: KeySource, response: Response): Promise<void> {
  const verify = (jwks: Keys) =>
    // A new metadata object each time keeps the library from using keys that it remembers for the last one, and keys
    // that never age keep it from asking for others itself.
    oauth.validateApplicationLevelSignature({ ...metadata }, response, {
      [oauth.jwksCache]: { jwks, uat: Infinity },
    });
  return toProblemErrors('ID token', async () => {
    const current = await keys.current();
    try {
      await verify(current);
    } catch {
      // Whatever is wrong, it may be the key that is old; it is told by what comes of a newer one.
      await verify(await keys.refetch()).catch((cause: unknown) => {
        if (cause instanceof oauth.OperationProcessingError) throw cause;
        // The platform's own error for what is not even a key or a signature.
        throw reject('its key or its signature cannot be read', { cause });
      });
    }
  });
}

/** `at_hash` is the left half of the access token's hash, by the hash of the signature's algorithm. */
async function checkAccessTokenHash(
  { id_token, access_token }: oauth.TokenEndpointResponse,
  atHash: unknown,
): Promise<void> {
  if (atHash === undefined) return;
  const [header] = String(id_token).split('.', 1);
  const { alg } = JSON.parse(fromBase64Url(String(header))) as { alg: string };
  // Ed25519 hashes with SHA-512; the others carry the number in their name.
  const bits = alg.startsWith('Ed') ? '512' : alg.slice(-3);
  if (!['256', '384', '512'].includes(bits)) throw reject(`no hash is known for ${alg} [at_hash]`);
  const digest = await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(access_token));
  if (atHash !== toBase64Url(new Uint8Array(digest, 0, digest.byteLength / 2))) {
    throw reject('not of this access token [at_hash]');
  }
}

function reject(reason: string, options?: ErrorOptions): ProblemError {
  return new ProblemError('response-rejected', `ID token: ${reason}`, options);
}
