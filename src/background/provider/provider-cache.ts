// The stored copy of a provider's discovery document, its keys and its clock, and how old it may be. It is stored by provider id,
// because two providers of one issuer may be configured differently.

import type { Provider } from '../../config/provider.ts';
import {
  readKeys,
  readMetadata,
  type DiscoveryDocument,
  type Keys,
  type Metadata,
} from '../../oidc/discover.ts';
import { isTransient } from '../../oidc/rejection.ts';
import { toProblem } from '../../session/problem.ts';
import type { WithDatabase } from '../vault/database.ts';

/** The metadata, with the configuration of this build laid on the document. */
interface CachedMetadata {
  /** As the provider sent it, so that an override that's removed from the configuration is gone at once. */
  readonly document: DiscoveryDocument;
  readonly metadata: Metadata;
  /** In milliseconds since the epoch. */
  readonly fetchedAtMs: number;
}

interface CachedKeys {
  readonly keys: Keys;
  /** Where the keys came from; undefined for none. They are not used for another address. */
  readonly jwksUri: string | undefined;
  /** In milliseconds since the epoch. */
  readonly fetchedAtMs: number;
}

export interface Cached {
  /** Null if they have not been fetched, or if the configuration has made them useless. */
  readonly metadata: CachedMetadata | null;
  readonly keys: CachedKeys | null;
  /** How far the provider's clock was ahead of this device's, in seconds; null while unknown. */
  readonly skewSeconds: number | null;
}

const nothingCached: Cached = { metadata: null, keys: null, skewSeconds: null };

/** The stored record. */
interface StoredCopy {
  readonly version: 2;
  readonly issuer: string;
  /** Where the document came from; null for below the issuer. */
  readonly discoveryUrl: string | null;
  readonly document: { readonly value: DiscoveryDocument; readonly fetchedAtMs: number } | null;
  readonly keys: CachedKeys | null;
  readonly skewSeconds: number | null;
}

/** Reads the copy of a provider. What cannot be read, or came from elsewhere, counts as not cached. */
export async function readCached(withDatabase: WithDatabase, provider: Provider): Promise<Cached> {
  try {
    const read = await withDatabase((database) => database.get('providers', provider.id));
    const stored = read as Partial<StoredCopy> | undefined;
    if (stored?.version !== 2 || typeof stored.document?.fetchedAtMs !== 'number') return nothingCached;
    if (stored.issuer !== provider.issuer || stored.discoveryUrl !== provider.discoveryUrl)
      return nothingCached;
    const { value: document, fetchedAtMs } = stored.document;
    const metadata = readMetadata(document, provider);
    return {
      metadata: { document, metadata, fetchedAtMs },
      keys: readStoredKeys(stored.keys, metadata),
      skewSeconds: typeof stored.skewSeconds === 'number' ? stored.skewSeconds : null,
    };
  } catch {
    // It only costs a request. The vault reports a database that can't be read, and the request reports a document that the
    // configuration no longer fits.
    return nothingCached;
  }
}

/** Stores the copy of a provider, in place of the one before. Rejects if the storage fails. */
export async function writeCached(
  withDatabase: WithDatabase,
  { id, issuer, discoveryUrl }: Provider,
  { metadata, keys, skewSeconds }: Cached,
): Promise<void> {
  const document = metadata && { value: metadata.document, fetchedAtMs: metadata.fetchedAtMs };
  const stored: StoredCopy = { version: 2, issuer, discoveryUrl, document, keys, skewSeconds };
  await withDatabase((database) => database.put('providers', stored, id));
}

function readStoredKeys(stored: StoredCopy['keys'] | undefined, { jwks_uri }: Metadata): CachedKeys | null {
  if (typeof stored?.fetchedAtMs !== 'number' || stored.jwksUri !== jwks_uri) return null;
  return { ...stored, keys: readKeys(stored.keys) };
}

const hourMs = 60 * 60 * 1000;
/** A copy older than this is fetched again when a popup opens… */
export const freshMs = hourMs;
/** …a copy older than this is fetched again before it is used… */
export const usableMs = 24 * hourMs;
/** …and a copy older than this is not used at all. */
const staleMs = 30 * 24 * hourMs;
/** How long a stale copy is used without another request, so that a renewal waits once for a provider that hangs. */
const pauseMs = 60 * 1000;

type Dated = Pick<CachedMetadata, 'fetchedAtMs'>;

/** Whether there is a copy, and it is younger than `maxMs`. For a copy dated in the future, the distance counts. */
export function isYounger<T extends Dated>(copy: T | null, maxMs: number, nowMs: number): copy is T {
  return copy !== null && Math.abs(nowMs - copy.fetchedAtMs) < maxMs;
}

/**
 * The copy that `find` returns, or a new one from `ask` if it is too old; a stale one if the provider does not answer.
 * Throws as `ask` does.
 */
type ExpectCopy = <T extends Dated>(find: () => T | null, ask: () => Promise<T>) => Promise<T>;

export function createExpectCopy(nowMs: () => number): ExpectCopy {
  let failedAtMs = -Infinity;

  return async (find, ask) => {
    const before = find();
    if (isYounger(before, usableMs, nowMs())) return before;
    if (isYounger(before, staleMs, nowMs()) && Math.abs(nowMs() - failedAtMs) < pauseMs) return before;
    try {
      return await ask();
    } catch (error) {
      const stale = find();
      if (!isYounger(stale, staleMs, nowMs()) || !isTransient(error) || toProblem(error).code === 'offline')
        throw error;
      failedAtMs = nowMs();
      return stale;
    }
  };
}
