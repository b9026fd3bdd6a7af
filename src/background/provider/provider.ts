// The providers, each with its metadata and keys, cached between runs of the worker, so that a click doesn't wait for them.

import { singleFlight } from '../../concurrency.ts';
import {
  createProviderClient,
  type ProviderClient,
  type TokenClient,
  createProviderClock,
  type Environment,
} from '../../oidc/http.ts';
import {
  readMetadata,
  requestDocument,
  requestKeys,
  type Metadata,
  readKeys,
  type DiscoveryDocument,
  type Keys,
} from '../../oidc/discover.ts';
import type { KeySource } from '../../oidc/id-token.ts';
import type { Provider } from '../../config/provider.ts';
import type { WithDatabase } from '../record/database.ts';
import { findOAuthError, isTransient } from '../../oidc/problems.ts';
import { toProblem } from '../../session/problem.ts';
import type { ProviderId } from '../../session/view.ts';

type Step<T> = (metadata: Metadata) => T | Promise<T>;

export interface ProviderAccess {
  readonly client: ProviderClient;
  /**
   * The keys, fetched only if the cached copy is older than a day. If they can't be fetched because the provider
   * doesn't respond, a copy of up to 30 days is used. A key that the provider has withdrawn is accepted as long as the copy
   * with it is used.
   */
  readonly keys: KeySource;
  /**
   * The metadata, fetched only if the cached copy is older than a day. If it can't be fetched because the provider
   * doesn't respond, a copy of up to 30 days is used: its token endpoint may still work, and each address
   * in it is on a configured host. Throws as discovery does.
   */
  metadata(): Promise<Metadata>;
  /**
   * Runs a step with the metadata. If it throws, the copy is doubted before the provider is: the step runs once more with a fresh one,
   * unless the copy is one, or the provider itself has refused or doesn't respond. Throws as the step does.
   */
  attempt<T>(step: Step<T>): Promise<T>;
  /** The metadata as it is known now, without waiting; null if none is. */
  known(): Metadata | null;
  /** Reads the cached copy, so that {@link known} returns it and the client knows the provider's clock. */
  recall(): Promise<void>;
  /** Fetches metadata and keys ahead of their use if they are older than an hour. Best effort. */
  warm(): void;
}

/** The same for one piece of work that requests tokens: `Revocations.receive` makes it, and revokes each one that isn't stored. */
export interface TokenAccess extends ProviderAccess {
  readonly client: TokenClient;
  /** Says whose the tokens are that come without an ID token. */
  identify(subject: string): void;
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

  /** Newer metadata. Null if the copy is too new to be doubted, or none can be fetched: then the step's error says more. */
  const requestNewer = async (): Promise<Metadata | null> => {
    if (isYounger(newest.metadata, doubtMs, nowMs())) return null;
    return (await requestMetadataFirst().catch(() => null))?.metadata ?? null;
  };
  const fetch = createFetchMoved(world, () => newest.metadata?.metadata ?? null, requestNewer);
  const client = createProviderClient({ ...world, fetch }, provider, clock);

  const readStored = async () => {
    const { metadata, keys, skewSeconds } = await readCached(withDatabase, provider);
    // Each request waits for this, so nothing newer has been fetched.
    newest = { metadata, keys };
    // An older skew is dropped, because the user may have set the clock since, and perhaps no response shows it.
    if (skewSeconds !== null && isYounger(metadata, usableMs, nowMs())) clock.restore(skewSeconds);
  };
  let recalled: Promise<void> | null = null;
  const recall = () => (recalled ??= readStored());

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

  return {
    client,
    metadata: loadMetadata,
    attempt: async (step) => runTwice(step, await loadMetadata(), requestNewer),
    known: () => newest.metadata?.metadata ?? null,
    recall,
    async keys(wanted) {
      await recall();
      const copy = await (wanted === 'fresh' ? request() : expect(() => newest.keys, request));
      const algorithms = newest.metadata?.metadata.id_token_signing_alg_values_supported;
      return { keys: copy.keys.keys, ...(algorithms && { algorithms }) };
    },
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

/** Runs a step, and once more if newer metadata may help. Throws as the last run does. */
async function runTwice<T>(
  step: Step<T>,
  metadata: Metadata,
  requestNewer: () => Promise<Metadata | null>,
): Promise<T> {
  try {
    return await step(metadata);
  } catch (error) {
    // An OAuth error is the provider's own refusal, so the copy isn't to blame.
    const isOwn = findOAuthError(error) !== null || isTransient(error);
    const newer = isOwn ? null : await requestNewer();
    if (newer === null) throw error;
    return step(newer);
  }
}

/** The endpoints to which requests are sent. The keys are always fetched with a fresh document. */
const movable = [
  'token_endpoint',
  'userinfo_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
] as const;

/**
 * Creates a `fetch` that sends a request once more if its endpoint is gone, and a newer document names another address
 * for it. Nothing has read the first request, so its code or token is unspent.
 */
function createFetchMoved(
  { fetch }: Environment,
  known: () => Metadata | null,
  requestNewer: () => Promise<Metadata | null>,
): Environment['fetch'] {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.status !== 404 && response.status !== 410) return response;
    const metadata = known();
    const name = movable.find((endpoint) => metadata?.[endpoint] === url);
    const moved = name && (await requestNewer())?.[name];
    return moved === undefined || moved === url ? response : fetch(moved, init);
  };
}

// The stored copy of a provider's discovery document, its keys and its clock, and how old it may be. It is stored by provider id,
// because two providers of one issuer may be configured differently.

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
  /** Where the keys came from; undefined for none. They aren't used for another address. */
  readonly jwksUri: string | undefined;
  /** In milliseconds since the epoch. */
  readonly fetchedAtMs: number;
}

interface Cached {
  /** Null if they haven't been fetched, or if the configuration has made them useless. */
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

/** Reads the copy of a provider. What can't be read, or came from elsewhere, counts as not cached. */
async function readCached(withDatabase: WithDatabase, provider: Provider): Promise<Cached> {
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
    // A copy that is lost only costs a request. Reading the record reports a broken database, and the request reports a document
    // that no longer fits the configuration.
    return nothingCached;
  }
}

/** Stores the copy of a provider, in place of the one before. Rejects if the storage fails. */
async function writeCached(
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

/** A younger copy isn't doubted. */
const doubtMs = 60 * 1000;
const hourMs = 60 * 60 * 1000;
/** A copy older than this is fetched again when a popup opens… */
const freshMs = hourMs;
/** …a copy older than this is fetched again before it is used… */
const usableMs = 24 * hourMs;
/** …and a copy older than this isn't used at all. */
const staleMs = 30 * 24 * hourMs;
/** How long a stale copy is used without another request, so that a renewal waits once for a provider that hangs. */
const pauseMs = 60 * 1000;

type Dated = Pick<CachedMetadata, 'fetchedAtMs'>;

/** Whether there is a copy, and it is younger than `maxMs`. For a copy dated in the future, the distance counts. */
function isYounger<T extends Dated>(copy: T | null, maxMs: number, nowMs: number): copy is T {
  return copy !== null && Math.abs(nowMs - copy.fetchedAtMs) < maxMs;
}

/**
 * A function that returns the copy that `find` returns, or a new one from `ask` if it is too old; a stale one if the provider doesn't
 * respond. Throws as `ask` does.
 */
function createExpectCopy(nowMs: () => number) {
  let failedAtMs = -Infinity;

  return async <T extends Dated>(find: () => T | null, ask: () => Promise<T>): Promise<T> => {
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

// The providers that are offered now, and those that a policy has removed, whose tokens must still be revoked.

/** The providers of the build, before any of them is offered. */
export function createProviders(built: readonly Provider[], world: Environment, withDatabase: WithDatabase) {
  const toAccess = (provider: Provider) => createProviderAccess(provider, world, withDatabase);
  const offered = new Map<ProviderId, ProviderAccess>();
  let known: readonly ProviderAccess[] = built.map(toAccess);

  const expect = (provider: Provider) => {
    const settings = JSON.stringify(provider);
    return known.find(({ client }) => JSON.stringify(client.provider) === settings) ?? toAccess(provider);
  };

  return {
    /** The providers that are offered, in their order. Always the same map, with the present content. */
    offered: offered as ReadonlyMap<ProviderId, ProviderAccess>,
    /** Every provider that this worker has known, the offered ones first. */
    known: () => known,
    /** Notes providers that were offered before. */
    remember(providers: readonly Provider[]): void {
      known = [...new Set([...known, ...providers.map(expect)])];
    },
    /** Offers these providers and no other. One whose settings are the same keeps its access, and all that it knows. */
    offer(providers: readonly Provider[]): void {
      const next = providers.map(expect);
      offered.clear();
      for (const access of next) offered.set(access.client.provider.id, access);
      known = [...next, ...known.filter((access) => !next.includes(access))];
    },
  };
}
