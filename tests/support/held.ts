// Reads the session that a scene's worker holds, the tokens that it has yet to revoke, and a code that waits for the user: from
// the disk, as the next worker would find them, and without changing anything. Scenes ask here, so that they needn't know how
// these are stored.

import { createDatabase, type Database } from '../../src/background/record/database.ts';
import { parseRecord } from '../../src/background/record/disk.ts';
import type { PendingRevocation, StoredSession } from '../../src/background/record/record.ts';
import { recordName, open, seal, createMemoryKey } from '../../src/background/record/disk.ts';
import type { FakeStorageArea } from './fake-browser.ts';
import { vaultKeyName } from '../../src/background/storage.ts';

/** The part of a scene's worker that tells where the key is. */
interface Holder {
  readonly memory: FakeStorageArea;
}

interface HeldSession extends Pick<StoredSession, 'startedAtMs' | 'renewalSentAtMs'> {
  readonly providerId: string;
  readonly subject: string;
  /** Null if the API gets the ID token. */
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  readonly idToken: string | null;
}

export interface Held {
  readonly session: HeldSession | null;
  readonly pendingRevocations: readonly Pick<PendingRevocation, 'token' | 'providerId' | 'firstSentAtMs'>[];
  /** The secret of a code that waits for the user. */
  readonly deviceCode: string | null;
  /** Whether the user has signed out and not signed in since. */
  readonly isSignedOutOnPurpose: boolean;
}

export const nothingHeld: Held = {
  session: null,
  pendingRevocations: [],
  deviceCode: null,
  isSignedOutOnPurpose: false,
};

/** Runs `use` with a connection of its own, because a test may make the worker's connection fail or wait. */
async function onDisk<T>(
  { memory }: Holder,
  use: (database: Database, memoryKey: CryptoKey | null) => Promise<T>,
): Promise<T> {
  const memoryKey = await createMemoryKey(memory).find();
  return createDatabase()(async (database) => {
    try {
      return await use(database, memoryKey);
    } finally {
      database.close();
    }
  });
}

export function readHeld(worker: Holder): Promise<Held> {
  return onDisk(worker, readHeldFrom);
}

/** The record and its key, as one write has left them. */
async function readVault(database: Database, memoryKey: CryptoKey | null) {
  const transaction = database.transaction(['vault', 'keys']);
  const [envelope, key] = await Promise.all([
    transaction.objectStore('vault').get(recordName),
    transaction.objectStore('keys').get(vaultKeyName) as Promise<CryptoKey | undefined>,
  ]);
  return { envelope, key: key ?? memoryKey };
}

/** The same, with a connection, and the key in the browser's memory if it's there. */
export async function readHeldFrom(database: Database, memoryKey: CryptoKey | null = null): Promise<Held> {
  const { envelope, key } = await readVault(database, memoryKey);
  const isSignedOutOnPurpose = envelope?.isSignedOutOnPurpose === true;
  if (key === null) return { ...nothingHeld, isSignedOutOnPurpose };
  const record = await open(key, recordName, envelope?.sealed ?? null);
  const { session, codeSignIn, pendingRevocations } = parseRecord(record, new Map(), Date.now());
  return {
    session: session === null ? null : toHeldSession(session),
    pendingRevocations: pendingRevocations.map(({ token, providerId, firstSentAtMs }) => ({
      token,
      providerId,
      firstSentAtMs,
    })),
    isSignedOutOnPurpose,
    deviceCode: codeSignIn?.grant.deviceCode ?? null,
  };
}

function toHeldSession(session: StoredSession): HeldSession {
  const { profile, startedAtMs, tokens, renewalSentAtMs } = session;
  const { providerId, subject } = profile;
  const { refreshToken, idToken } = tokens;
  const accessToken = tokens.type === 'id_token' ? null : tokens.accessToken;
  return { providerId, subject, startedAtMs, accessToken, refreshToken, idToken, renewalSentAtMs };
}

/** Where the key is, and the names of all records and other keys on the disk, whether the key opens them or not. */
export function listRemains(worker: Holder): Promise<{
  readonly keyPlaces: readonly ('device' | 'browser')[];
  readonly remains: readonly string[];
}> {
  return onDisk(worker, async (database) => {
    const [keys, records] = await Promise.all([database.getAllKeys('keys'), database.getAllKeys('vault')]);
    const isVaultKey = (name: string) => name === vaultKeyName;
    return {
      keyPlaces: [
        ...(keys.some(isVaultKey) ? (['device'] as const) : []),
        ...(worker.memory.items.has(vaultKeyName) ? (['browser'] as const) : []),
      ],
      remains: [...records, ...keys.filter((name) => !isVaultKey(name))],
    };
  });
}

/** The sealed records, byte for byte as text: as they are found by reading the disk without the key. */
export function readSealed(worker: Holder): Promise<string> {
  return onDisk(worker, async (database) => {
    const records = await database.getAll('vault');
    return records
      .map(({ sealed }) => (sealed === null ? '' : Buffer.from(sealed.ciphertext).toString('latin1')))
      .join('\n');
  });
}

type Members = Readonly<Record<string, unknown>>;

/** The record as JSON. */
interface StoredMembers extends Members {
  readonly session: Members | null;
  readonly pendingRevocations: readonly Members[];
}

/** Stores the record as another version of the extension would. */
export function rewriteRecord(worker: Holder, change: (record: StoredMembers) => Members): Promise<void> {
  return onDisk(worker, async (database, memoryKey) => {
    const { envelope, key } = await readVault(database, memoryKey);
    if (key === null || !envelope?.sealed) throw new Error('There is no record.');
    const record = (await open(key, recordName, envelope.sealed)) as StoredMembers;
    const sealed = await seal(key, recordName, change(record));
    await database.put('vault', { ...envelope, sealed }, recordName);
  });
}
