// One provider with its metadata and keys, cached between runs of the worker, so that a click does not wait for them.

import { once } from '../../concurrency/once.ts';
import { singleFlight } from '../../concurrency/single-flight.ts';
import { createProviderClient, type ProviderClient } from '../../oidc/provider-client.ts';
import { createProviderClock } from '../../oidc/provider-clock.ts';
import { readMetadata, requestDocument, requestKeys, type Metadata } from '../../oidc/discover.ts';
import type { Environment } from '../../oidc/exchange.ts';
import type { KeySource } from '../../oidc/id-token.ts';
import type { Provider } from '../../config/provider.ts';
import type { WithDatabase } from '../vault/database.ts';
import {
  createExpectCopy,
  freshMs,
  isYounger,
  readCached,
  usableMs,
  writeCached,
  type Cached,
} from './provider-cache.ts';

export interface ProviderAccess {
  readonly client: ProviderClient;
  /**
   * The keys, fetched only if the cached copy is older than a day. If they cannot be fetched because the provider
   * does not answer, a copy of up to 30 days is used. A key that the provider has withdrawn is accepted as long as the copy
   * with it is used.
   */
  readonly keys: KeySource;
  /**
   * The metadata, fetched only if the cached copy is older than a day. If it cannot be fetched because the provider
   * does not answer, a copy of up to 30 days is used: its token endpoint may still work, and each address
   * in it is on a configured host. Throws as discovery does.
   */
  metadata(): Promise<Metadata>;
  /** The metadata as it is known now, without waiting; null if none is. */
  known(): Metadata | null;
  /** Reads the cached copy, so that {@link known} returns it and the client knows the provider's clock. */
  recall(): Promise<void>;
  /** Fetches metadata and keys ahead of their use if they are older than an hour. Best effort. */
  warm(): void;
}

export function createProviderAccess(
  provider: Provider,
  world: Environment,
  withDatabase: WithDatabase,
): ProviderAccess {
  const { nowMs } = world;
  const expect = createExpectCopy(nowMs);
  let newest: Pick<Cached, 'metadata' | 'keys'> = { metadata: null, keys: null };

  /** Best effort: without a copy in the database the next run fetches it again. The database keeps the order of the writes. */
  const store = async () => {
    await recall();
    const copy = { ...newest, skewSeconds: clock.skewSeconds() };
    await writeCached(withDatabase, provider, copy).catch(() => undefined);
  };
  const clock = createProviderClock(() => void store());
  const client = createProviderClient(world, provider, clock);

  const recall = once(async () => {
    const { metadata, keys, skewSeconds } = await readCached(withDatabase, provider);
    // Each request waits for this, so nothing newer has been fetched.
    newest = { metadata, keys };
    // An older skew is dropped, because the user may have set the clock since, and perhaps no answer shows it.
    if (skewSeconds !== null && isYounger(metadata, usableMs, nowMs())) clock.restore(skewSeconds);
  });

  const requestMetadata = singleFlight(async () => {
    await recall();
    const document = await requestDocument(client);
    const metadata = readMetadata(document, provider);
    const known = newest.keys?.jwksUri === metadata.jwks_uri ? newest.keys : null;
    const copy = { document, metadata, fetchedAtMs: nowMs() };
    newest = { metadata: copy, keys: known };
    return copy;
  });

  const request = singleFlight(async () => {
    const { metadata } = await requestMetadata();
    const { jwks_uri: jwksUri } = metadata;
    try {
      const keys = await requestKeys(client, metadata);
      const copy = { keys, jwksUri, fetchedAtMs: nowMs() };
      newest = { ...newest, keys: copy };
      return copy;
    } finally {
      // No one is waiting for it, and a request for newer keys must not join this one.
      void store();
    }
  });

  /** Requests both, but only waits for the metadata: the sign-in window needs no keys. */
  const requestMetadataFirst = () => {
    // No one is waiting for the keys here. A later caller requests them again, and gets the error.
    request().catch(() => undefined);
    return requestMetadata();
  };

  const loadMetadata = async () => {
    await recall();
    return (await expect(() => newest.metadata, requestMetadataFirst)).metadata;
  };

  const loadKeys = async () => {
    await recall();
    return (await expect(() => newest.keys, request)).keys;
  };

  return {
    client,
    metadata: loadMetadata,
    known: () => newest.metadata?.metadata ?? null,
    recall,
    keys: async (wanted) => (wanted === 'fresh' ? (await request()).keys : loadKeys()),
    warm() {
      const refresh = async () => {
        await recall();
        const isFresh = (copy: Cached['metadata' | 'keys']) => isYounger(copy, freshMs, nowMs());
        if (!isFresh(newest.metadata) || !isFresh(newest.keys)) await request();
      };
      // Best effort: the next caller retries and gets the error.
      refresh().catch(() => undefined);
    },
  };
}
