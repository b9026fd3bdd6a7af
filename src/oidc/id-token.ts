// The ID token checks that oauth4webapi leaves to its caller: signature, at_hash, additional audiences, azp
// with a single audience, age and the form of sub. oauth4webapi has checked iss, exp, nonce and auth_time by then,
// that this client is among the audiences, and that azp is this client if there are others.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { detail, type Detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { fromBase64Url, toBase64Url } from './encoding.ts';
import { rejectClaim } from './claim-error.ts';
import { futureToleranceSeconds, type ProviderClient } from './provider-client.ts';
import type { Keys, Metadata } from './discover.ts';
import { isTemplate } from './tenant-issuer.ts';
import { toProblemErrors } from './rejection.ts';

/** Finds the provider's keys: cached ones, or fresh ones if the cached ones don't fit. */
export type KeySource = (wanted: 'cached' | 'fresh') => Promise<Keys>;

/** The keys that may sign for the tenant. A key with an `issuer` of its own, as at Entra, only signs for that issuer. */
function toTenantKeys(keys: KeySource, metadata: Metadata, issuer: string): KeySource {
  if (!isTemplate(metadata.issuer)) return keys;
  const accepted: readonly unknown[] = [undefined, metadata.issuer, issuer];
  const maySign = (key: Readonly<Record<string, unknown>>) => accepted.includes(key['issuer']);
  return async (wanted) => ({ keys: (await keys(wanted)).keys.filter((key) => maySign({ ...key })) });
}

/** The token is issued for this request, so an older one belongs to another. */
const maxTokenAgeSeconds = 10 * 60;

/**
 * Checks the claims of the ID token in a token response that oauth4webapi has processed, and returns them
 * (OpenID Connect Core 3.1.3.7 and 3.1.3.8), except their age. Throws {@link ProblemError} `response-rejected`.
 */
export async function checkIdToken(
  client: ProviderClient,
  tokenResponse: oauth.TokenEndpointResponse,
): Promise<oauth.IDToken> {
  const claims = validatedClaims(tokenResponse);
  await checkAccessTokenHash(tokenResponse, claims);
  checkClaims(client, claims);
  return claims;
}

/** The claims of the ID token in a token response that oauth4webapi has processed. Throws `response-rejected`. */
export function validatedClaims(tokenResponse: oauth.TokenEndpointResponse): oauth.IDToken {
  const claims = oauth.getValidatedIdTokenClaims(tokenResponse);
  if (claims === undefined) throw reject(detail`missing`);
  // oauth4webapi accepts spaces, which a JWT can't have (RFC 7515 section 2). An API may get this token.
  if (/\s/.test(tokenResponse.id_token ?? '')) throw reject(detail`a space in it`);
  return claims;
}

/**
 * Checks the claims that depend neither on an access token nor on the time (OpenID Connect Core 3.1.3.7). Throws
 * `response-rejected`.
 */
export function checkClaims({ provider }: ProviderClient, claims: oauth.IDToken): void {
  if (![claims.aud].flat().every((audience) => isTrusted(audience, provider))) {
    throw rejectClaim('aud', claims, detail`an audience that is not in "trustedAudiences"`);
  }
  if (claims.azp !== undefined && claims.azp !== provider.clientId) {
    throw rejectClaim('azp', claims, detail`another party's`);
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) {
    throw rejectClaim('sub', claims, detail`not a subject`);
  }
}

/** Checks that an ID token was issued just now, for this request. Throws `response-rejected`. */
export function checkAge({ nowSeconds }: ProviderClient, claims: oauth.IDToken): void {
  const age = nowSeconds() - claims.iat;
  if (age > maxTokenAgeSeconds) throw rejectClaim('iat', claims, detail`issued too long ago`);
  if (age < -futureToleranceSeconds) {
    throw rejectClaim('iat', claims, detail`issued in the future`);
  }
}

/**
 * A token with an audience that the client does not trust is rejected (OpenID Connect Core 3.1.3.7, rule 3), so that a token
 * for another client can't be used here. "any" is still safe: each of our ID tokens comes from the token endpoint
 * itself, names us as the authorized party, and goes only to the provider, so no other audience can get it from us.
 * The configuration refuses "any" where the ID token comes through the browser and may go to APIs.
 * Zitadel names all clients of a project, so with a list no one could sign in once the project gets another client.
 */
function isTrusted(audience: unknown, { clientId, trustedAudiences }: Provider): boolean {
  if (typeof audience !== 'string') return false;
  return audience === clientId || trustedAudiences === 'any' || trustedAudiences.includes(audience);
}

/**
 * Verifies the signature of the ID token in a token response, whose claims were checked. If no cached key fits, fetches the keys once
 * more (OpenID Connect Core 10.1.1). Throws {@link ProblemError} `response-rejected`, or what an exchange
 * throws if the keys cannot be fetched.
 */
export function verifySignature(
  client: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  { iss }: oauth.IDToken,
  response: Response,
): Promise<void> {
  const tenantKeys = toTenantKeys(keys, metadata, iss);
  const verify = (jwks: Keys) =>
    // A new metadata object bypasses oauth4webapi's key cache, and keys that never expire keep it from
    // fetching any itself.
    oauth.validateApplicationLevelSignature({ ...metadata }, response, {
      [oauth.jwksCache]: { jwks, uat: Infinity },
    });
  return toProblemErrors(client, detail`ID token`, async () => {
    const cached = await tenantKeys('cached');
    try {
      await verify(cached);
    } catch {
      // Any failure may mean a stale key: refetch, and trust that result.
      await verify(await tenantKeys('fresh')).catch((cause: unknown) => {
        if (cause instanceof oauth.OperationProcessingError) throw cause;
        // WebCrypto throws its own errors for an unusable key or signature.
        throw reject(detail`its key or its signature cannot be read`, { cause });
      });
    }
  });
}

/** Compares `at_hash` with the left half of the access token's hash, which uses the hash of the signature. */
async function checkAccessTokenHash(
  { id_token, access_token }: oauth.TokenEndpointResponse,
  claims: oauth.IDToken,
): Promise<void> {
  const atHash = claims['at_hash'];
  if (atHash === undefined) return;
  const [header] = String(id_token).split('.', 1);
  const { alg } = JSON.parse(fromBase64Url(String(header))) as { alg: string };
  // Ed25519 uses SHA-512; the other names end in the number of bits.
  const bits = alg.startsWith('Ed') ? '512' : alg.slice(-3);
  if (!['256', '384', '512'].includes(bits)) {
    throw rejectClaim('at_hash', claims, detail`no hash is known for its algorithm`);
  }
  const digest = await crypto.subtle.digest(`SHA-${bits}`, new TextEncoder().encode(access_token));
  if (atHash !== toBase64Url(new Uint8Array(digest, 0, digest.byteLength / 2))) {
    throw rejectClaim('at_hash', claims, detail`not of this access token`);
  }
}

function reject(reason: Detail, options?: ErrorOptions): ProblemError {
  return new ProblemError('response-rejected', detail`ID token: ${reason}`, options);
}
