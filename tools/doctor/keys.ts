// Checks a provider's keys: whether one of them can verify an ID token.

import { importJWK, type JWK } from 'jose';
import { requestKeys, type Keys, type Metadata } from '../../src/oidc/discover.ts';
import type { ProviderClient } from '../../src/oidc/provider-client.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { everywhere, quoteAnswer, quoteProblem, type Finding } from './finding.ts';
import { explainUnreachable } from './unreachable.ts';
import type { DoctorWorld } from './world.ts';

/** Asks for the keys as the extension does. */
export async function examineKeys(
  client: ProviderClient,
  metadata: Metadata,
  world: DoctorWorld,
): Promise<Finding> {
  try {
    return await assess(await requestKeys(client, metadata), metadata);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return explainFailure(error, world);
  }
}

/** Providers publish a handful; to import thousands would take long. */
const maxKeys = 100;

async function assess({ keys: published }: Keys, metadata: Metadata): Promise<Finding> {
  const keys = published.slice(0, maxKeys);
  const algorithms = metadata.id_token_signing_alg_values_supported.slice(0, 20);
  const wanted = algorithms.slice(0, 8).map((name) => quoteAnswer(name.slice(0, 60)));
  if (keys.length === 0) {
    return everywhere(
      'error',
      'keys-unusable',
      'The provider publishes no keys, so no ID token can be verified.',
      'Create a signing key at the provider.',
    );
  }
  const usable = await Promise.all(keys.map((key) => canVerify({ ...key }, algorithms)));
  const count = usable.filter(Boolean).length;
  if (count > 0) {
    return everywhere('ok', 'keys', `${count} of ${keys.length} keys can verify an ID token.`);
  }
  return everywhere(
    'error',
    'keys-unusable',
    `None of the ${keys.length} keys of the provider can verify an ID token that is signed with ${wanted.join(' or ')}.`,
    'Let the provider publish the public key with which it signs ID tokens, RSA with at least 2048 bits.',
  );
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

function explainFailure(error: ProblemError, world: DoctorWorld): Finding {
  const redirectedTo = world.redirectedTo();
  if (redirectedTo !== null) {
    return everywhere(
      'error',
      'keys-unusable',
      `The address of the keys redirects to ${quoteAnswer(redirectedTo)}, and the extension follows no redirect there.`,
      'Name the right address as "jwks_uri" in "metadata".',
    );
  }
  if (error.code === 'provider-unreachable' || error.code === 'timed-out') {
    const { text, remedy } = explainUnreachable(error);
    return everywhere('error', 'keys-unusable', `The keys cannot be read: ${text}`, remedy);
  }
  return everywhere(
    'error',
    'keys-unusable',
    `The keys cannot be read: ${quoteProblem(error)}.`,
    'Open that address, or name the right one as "jwks_uri" in "metadata".',
  );
}
