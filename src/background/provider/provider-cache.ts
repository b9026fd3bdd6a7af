// The stored copy of a provider's discovery document, its keys and its clock. It is stored by provider id,
// because two providers of one issuer may be configured differently.

import {
  readKeys,
  readMetadata,
  type DiscoveryDocument,
  type Keys,
  type Metadata,
} from '../../oidc/discover.ts';
import type { Provider } from '../../config/provider.ts';
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
    if (stored?.version !== 2) return nothingCached;
    if (stored.issuer !== provider.issuer || stored.discoveryUrl !== provider.discoveryUrl)
      return nothingCached;
    const metadata = readStoredMetadata(stored.document, provider);
    const keys = readStoredKeys(stored.keys, metadata);
    const skewSeconds = typeof stored.skewSeconds === 'number' ? stored.skewSeconds : null;
    return { metadata, keys, skewSeconds };
  } catch {
    // The vault reports a database that can't be read; here it only costs a request.
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

function readStoredMetadata(
  stored: StoredCopy['document'] | undefined,
  provider: Provider,
): CachedMetadata | null {
  if (typeof stored?.fetchedAtMs !== 'number') return null;
  const { value: document, fetchedAtMs } = stored;
  try {
    return { document, metadata: readMetadata(document, provider), fetchedAtMs };
  } catch {
    // The configuration no longer fits the document, so it is fetched again, and that error is reported.
    return null;
  }
}

function readStoredKeys(
  stored: StoredCopy['keys'] | undefined,
  metadata: CachedMetadata | null,
): CachedKeys | null {
  if (typeof stored?.fetchedAtMs !== 'number' || stored.jwksUri !== metadata?.metadata.jwks_uri) return null;
  return { ...stored, keys: readKeys(stored.keys) };
}
