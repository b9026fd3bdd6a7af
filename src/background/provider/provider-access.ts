// One provider as the worker reaches it: its metadata and keys, kept between runs, so that a click need not wait
// for them.

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
  /** The provider's metadata, asked for only when what is kept is too old. Throws what discovery throws. */
  metadata(): Promise<Metadata>;
  /** The metadata of this moment, without waiting: null while none is known. */
  known(): Metadata | null;
  /** Looks up what is kept, so that it is known. */
  recall(): Promise<void>;
  /** Brings metadata and keys up to date ahead of their use. A failure is left to whoever needs them. */
  warm(): void;
}

interface Kept {
  readonly metadata: Metadata;
  readonly keys: Keys;
  readonly keptAtMs: number;
}

/** What is older than this is renewed when a popup opens… */
const freshMs = 60 * 60 * 1000;
/** …and what is older than this is not used without asking again. */
const usableMs = 24 * 60 * 60 * 1000;

export function createProviderAccess(
  provider: Provider,
  world: World,
  withDatabase: WithDatabase,
): ProviderAccess {
  const client = createProviderClient(world, provider);
  let kept: Promise<Kept | null> | null = null;
  let newest: Kept | null = null;

  const ask = singleFlight(async () => {
    const metadata = await discover(client);
    const asked = { metadata, keys: await requestKeys(client, metadata), keptAtMs: world.nowMs() };
    newest = asked;
    kept = Promise.resolve(asked);
    // The next run asks again where this one could not keep it.
    await keep(withDatabase, provider, asked).catch(() => undefined);
    return asked;
  });

  const ageMs = (found: Kept) => world.nowMs() - found.keptAtMs;
  const find = () =>
    (kept ??= findKept(withDatabase, provider).then((found) => {
      newest ??= found;
      return found;
    }));
  const expect = async () => {
    const found = await find();
    return found !== null && ageMs(found) < usableMs ? found : ask();
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
      refetch: async () => (await ask()).keys,
    },
    warm() {
      const refresh = async () => {
        const found = await find();
        if (found === null || ageMs(found) >= freshMs) await ask();
      };
      // Whoever needs it asks again, and is told what is wrong.
      refresh().catch(() => undefined);
    },
  };
}

async function findKept(withDatabase: WithDatabase, provider: Provider): Promise<Kept | null> {
  try {
    const found = (await withDatabase((database) =>
      database.get('providers', provider.issuer),
    )) as Partial<Kept>;
    if (typeof found?.keptAtMs !== 'number') return null;
    return {
      metadata: readMetadata(found.metadata, provider),
      keys: readKeys(found.keys),
      keptAtMs: found.keptAtMs,
    };
  } catch {
    // A copy that cannot be read is no copy: the provider is asked.
    return null;
  }
}

async function keep(withDatabase: WithDatabase, { issuer }: Provider, kept: Kept): Promise<void> {
  await withDatabase((database) => database.put('providers', kept, issuer));
}
