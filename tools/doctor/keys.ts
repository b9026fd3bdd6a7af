// Asks for a provider's keys, and whether one of them can verify an ID token.

import { requestKeys } from '../../src/oidc/discover.ts';
import { canVerify } from '../../src/oidc/jwt.ts';
import { failureRows, readFailure } from './answer.ts';
import type { Subject } from './discovery.ts';
import { findFirst, quoteNames, rowsFor, type Finding } from './finding.ts';
import { createClient } from './world.ts';

/** How many keys there are, and how many can verify an ID token signed with one of the algorithms. */
interface KeysEvidence {
  readonly count: number;
  readonly usable: number;
  readonly areCertificates: boolean;
  readonly algorithms: readonly string[];
}

const row = rowsFor<KeysEvidence>();

const rows = [
  row.error('keys-unusable', ({ usable, areCertificates }) => usable === 0 && areCertificates)`
    The provider publishes its keys as certificates alone ("x5c"), and browsers read no key from them.
    Let the provider publish each key's own members too: "n" and "e", or "crv", "x" and "y".`,
  row.error('keys-unusable', ({ usable }) => usable === 0)`
    None of the provider's ${({ count }) => count} keys can verify an ID token that is signed with ${({ algorithms }) => quoteNames(algorithms, ' or ')}.
    Let the provider publish the public key with which it signs ID tokens, RSA with at least 2048 bits.`,
  row.ok('keys', () => true)`
    ${({ usable }) => usable} of ${({ count }) => count} keys can verify an ID token.`,
];

const unreadableRows = failureRows('keys-unusable', 'The address of the keys', 'jwks_uri');

/** Providers publish a handful; importing thousands would take long. */
const maxKeys = 100;

/** Asks for the keys as the extension does. */
export async function examineKeys({ gate, provider, metadata }: Subject): Promise<readonly Finding[]> {
  try {
    const published = await requestKeys(createClient(gate, provider), metadata);
    const keys = published.keys.slice(0, maxKeys);
    const algorithms = metadata.id_token_signing_alg_values_supported.slice(0, 20);
    const usable = await Promise.all(
      keys.map(async (key) =>
        (await Promise.all(algorithms.map((alg) => canVerify(key, alg)))).includes(true),
      ),
    );
    return findFirst(rows, {
      count: keys.length,
      usable: usable.filter(Boolean).length,
      areCertificates: keys.length > 0 && keys.every(({ x5c, n, x }) => Array.isArray(x5c) && !n && !x),
      algorithms,
    });
  } catch (error) {
    return findFirst(unreadableRows, readFailure(error));
  }
}
