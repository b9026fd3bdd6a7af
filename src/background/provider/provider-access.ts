// One provider with its metadata and keys, cached between runs of the worker, so that a click does not wait for them.

import { singleFlight } from '../../concurrency/single-flight.ts';
import { createProviderClient, type ProviderClient } from '../../oidc/provider-client.ts';
import {
  discover,
  readKeys,
  readMetadata,
  requestKeys,
  type Keys,
  type Metadata,
} from '../../oidc/discover.ts';
import type { World } from '../../oidc/exchange.ts';
import type { KeySource } from '../../oidc/id-token.ts';
import type { Provider } from '../../config/provider.ts';
import type { WithDatabase } from '../vault/database.ts';

export interface ProviderAccess {
  readonly client: ProviderClient;
  readonly keys: KeySource;
  /** The metadata, fetched only if the cached copy is older than a day. Throws as discovery does. */
  metadata(): Promise<Metadata>;
  /** The metadata as it is known now, without waiting; null if none is. */
  known(): Metadata | null;
  /** Reads the cached copy, so that {@link known} returns it. */
  recall(): Promise<void>;
  /** Fetches metadata and keys ahead of their use if they are older than an hour. Best effort. */
  warm(): void;
}

interface Cached {
  readonly metadata: Metadata;
  readonly keys: Keys;
  readonly cachedAtMs: number;
}

/** A copy older than this is fetched again when a popup opens… */
const freshMs = 60 * 60 * 1000;
/** …and a copy older than this is not used. */
const usableMs = 24 * 60 * 60 * 1000;

export function createProviderAccess(
  provider: Provider,
  world: World,
  withDatabase: WithDatabase,
): ProviderAccess {
  const client = createProviderClient(world, provider);
  /** The copy in the database, once it was read, or the one that was fetched after it. */
  let cached: Promise<Cached | null> | null = null;
  let newest: Cached | null = null;

  const request = singleFlight(async () => {
    const metadata = await discover(client);
    const fetched = { metadata, keys: await requestKeys(client, metadata), cachedAtMs: world.nowMs() };
    newest = fetched;
    cached = Promise.resolve(fetched);
    // Best effort: without a copy in the database the next run fetches it again.
    await writeCached(withDatabase, provider, fetched).catch(() => undefined);
    return fetched;
  });

  const ageMs = ({ cachedAtMs }: Cached) => world.nowMs() - cachedAtMs;
  const find = () =>
    (cached ??= readCached(withDatabase, provider).then((found) => {
      newest ??= found;
      return found;
    }));
  const expect = async () => {
    const found = await find();
    return found !== null && ageMs(found) < usableMs ? found : request();
  };

  return {
    client,
    metadata: async () => (await expect()).metadata,
    known: () => newest?.metadata ?? null,
    async recall() {
      await find();
    },
    keys: {
      current: async () => (await expect()).keys,
      refetch: async () => (await request()).keys,
    },
    warm() {
      const refresh = async () => {
        const found = await find();
        if (found === null || ageMs(found) >= freshMs) await request();
      };
      // Best effort: the next caller retries and gets the error.
      refresh().catch(() => undefined);
    },
  };
}

async function readCached(withDatabase: WithDatabase, provider: Provider): Promise<Cached | null> {
  try {
    const read = await withDatabase((database) => database.get('providers', provider.issuer));
    const found = read as Partial<Cached> | undefined;
    if (typeof found?.cachedAtMs !== 'number') return null;
    return {
      metadata: readMetadata(found.metadata, provider),
      keys: readKeys(found.keys),
      cachedAtMs: found.cachedAtMs,
    };
  } catch {
    // A copy that cannot be read counts as none.
    return null;
  }
}

async function writeCached(withDatabase: WithDatabase, { issuer }: Provider, value: Cached): Promise<void> {
  await withDatabase((database) => database.put('providers', value, issuer));
}
