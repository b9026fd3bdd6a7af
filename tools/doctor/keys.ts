// Asks for a provider's keys, and whether one of them can verify an ID token.

import { importJWK, type JWK } from 'jose';
import { requestKeys, type Metadata } from '../../src/oidc/discover.ts';
import type { ProviderClient } from '../../src/oidc/provider-client.ts';
import { failureRows, readFailure } from './failure.ts';
import { findFirst, quoteNames, row, type Finding, type Row } from './finding.ts';
import type { DoctorWorld } from './world.ts';

/** How many keys there are, and how many can verify an ID token signed with one of the algorithms. */
interface KeysEvidence {
  readonly count: number;
  readonly usable: number;
  readonly algorithms: readonly string[];
}

/** Asks for the keys as the extension does. */
export async function examineKeys(
  client: ProviderClient,
  metadata: Metadata,
  world: DoctorWorld,
): Promise<readonly Finding[]> {
  try {
    return findFirst(rows, await readKeys(client, metadata));
  } catch (error) {
    return findFirst(unreadableRows, readFailure(error, world));
  }
}

const rows: readonly Row<KeysEvidence>[] = [
  row.error(
    'keys-unusable',
    ({ count }) => count === 0,
    'The provider publishes no keys, so no ID token can be verified.',
    'Create a signing key at the provider.',
  ),
  row.error(
    'keys-unusable',
    ({ usable }) => usable === 0,
    ({ count, algorithms }) =>
      `None of the ${count} keys of the provider can verify an ID token that is signed with ${quoteNames(algorithms, ' or ')}.`,
    'Let the provider publish the public key with which it signs ID tokens, RSA with at least 2048 bits.',
  ),
  row.ok(
    'keys',
    () => true,
    ({ count, usable }) => `${usable} of ${count} keys can verify an ID token.`,
  ),
];

const unreadableRows = failureRows('keys-unusable', 'The address of the keys', 'jwks_uri');

/** Providers publish a handful; to import thousands would take long. */
const maxKeys = 100;

async function readKeys(client: ProviderClient, metadata: Metadata): Promise<KeysEvidence> {
  const published = await requestKeys(client, metadata);
  const keys = published.keys.slice(0, maxKeys);
  const algorithms = metadata.id_token_signing_alg_values_supported.slice(0, 20);
  const usable = await Promise.all(keys.map((key) => canVerify({ ...key }, algorithms)));
  return { count: keys.length, usable: usable.filter(Boolean).length, algorithms };
}

async function canVerify(key: JWK, algorithms: readonly string[]): Promise<boolean> {
  if (key.use !== undefined && key.use !== 'sig') return false;
  if (Array.isArray(key.key_ops) && !key.key_ops.includes('verify')) return false;
  if (key.kty === 'oct') return false;
  for (const algorithm of key.alg === undefined ? algorithms : [key.alg]) {
    if (algorithms.includes(algorithm) && (await imports(key, algorithm))) return true;
  }
  return false;
}

async function imports(key: JWK, algorithm: string): Promise<boolean> {
  try {
    const imported = await importJWK(key, algorithm);
    if (imported instanceof Uint8Array) return false;
    const { modulusLength } = imported.algorithm as { readonly modulusLength?: number };
    return modulusLength === undefined || modulusLength >= 2048;
  } catch {
    return false; // Not a key of this algorithm, or malformed.
  }
}
