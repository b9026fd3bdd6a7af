// The record on the disk: sealed, stored as a whole, and read again if a write may or may not have succeeded.

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { StoredSession, RecordEvent } from '../../../src/background/record/record.ts';
import {
  createDatabase,
  type SealedRecord,
  type WithDatabase,
} from '../../../src/background/record/database.ts';
import { recordName, open, seal, createMemoryKey } from '../../../src/background/record/disk.ts';
import { createRecords, type Records } from '../../../src/background/record/records.ts';
import { generateDpopKey } from '../../../src/oidc/resource.ts';
import { problem, ProblemError } from '../../../src/session/problem.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';
import { codeSignIn, toSession } from '../../support/stored-session.ts';
import { vaultKeyName } from '../../../src/background/storage.ts';

const tokens = { type: 'Bearer', accessToken: 'marked-access', expiresAtMs: 2000 } as const;
const session = toSession({
  tokens: { ...tokens, refreshToken: 'marked-refresh', idToken: 'marked-id' },
  originalClaims: { audiences: ['client'], authorizedParty: null, nonce: 'marked-nonce', authTimeSeconds: 7 },
});
const granted = { type: 'granted', session } as const;
const again: StoredSession = {
  ...session,
  id: 'session-2',
  tokens: { ...tokens, accessToken: 'a', idToken: 'i', refreshToken: 'second' },
};
const leftOver = { providerId: 'demo', issuer: 'i', clientId: null, subject: null, token: 't' };
const ended = { type: 'ended', cause: session, former: 'used', problem: problem('expired') } as const;
const signedOut = { type: 'signed-out', by: 'configuration' } as const;
const renewed: RecordEvent = { type: 'renewed', cause: session, renewed: again, former: 'used' };

let withDatabase: WithDatabase;
let memory: FakeStorageArea;
let place: 'device' | 'browser';
let nowMs: number;

/** The records of a worker that has just started. */
const startRecords = (database = withDatabase) =>
  createRecords({
    withDatabase: database,
    memoryKey: createMemoryKey(memory),
    persistence: () => Promise.resolve(place),
    nowMs: () => nowMs,
  });

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  withDatabase = createDatabase();
  memory = new FakeStorageArea();
  place = 'device';
  nowMs = 5000;
});

const stored = async () => startRecords().read();

async function rawText(): Promise<string> {
  const records = await withDatabase((database) => database.getAll('vault'));
  return records
    .flatMap(({ sealed }) => sealed ?? [])
    .map(({ iv, ciphertext }) => Buffer.concat([iv, new Uint8Array(ciphertext)]).toString('latin1'))
    .join();
}

const toPublic = (pair: CryptoKeyPair | null | undefined) => crypto.subtle.exportKey('jwk', pair!.publicKey);

/** Notes the session before and after each change. */
function watchSessions(records: Records): unknown[] {
  const changes: unknown[] = [];
  records.subscribe((now, before) => changes.push([before.session?.id, now.session?.id]));
  return changes;
}

/** Calls `before` before each transaction, until the returned function is called or the test has finished. */
function onTransaction(before: (...args: Parameters<IDBDatabase['transaction']>) => void): () => void {
  const { transaction } = IDBDatabase.prototype;
  const stop = () => void (IDBDatabase.prototype.transaction = transaction);
  IDBDatabase.prototype.transaction = function watched(this: IDBDatabase, ...args) {
    before(...args);
    return transaction.apply(this, args);
  };
  onTestFinished(stop);
  return stop;
}

/** Notes the durability of each transaction that writes. */
function watchWrites(): (string | undefined)[] {
  const writes: (string | undefined)[] = [];
  onTransaction((_stores, mode, options) => void (mode === 'readwrite' && writes.push(options?.durability)));
  return writes;
}

function failFull(): never {
  throw new DOMException('full', 'QuotaExceededError');
}

const readKey = async () =>
  (await withDatabase((database) => database.get('keys', vaultKeyName))) as CryptoKey;

const readEnvelope = async () => (await withDatabase((database) => database.get('vault', recordName)))!;

const names = (store: 'keys' | 'vault') => withDatabase((database) => database.getAllKeys(store));

describe('the stored record', () => {
  test('is found by the next worker, with the key that its tokens are bound to', async () => {
    const dpopKey = await generateDpopKey();
    await startRecords().dispatch({ type: 'granted', session: { ...session, dpopKey } });
    const found = (await stored()).session;
    expect(found).toEqual({ ...session, dpopKey: expect.anything() });
    expect(found?.dpopKey?.privateKey.extractable).toBe(false);
    expect(await toPublic(found?.dpopKey)).toEqual(await toPublic(dpopKey));
  });

  test('contains nothing in plain text, and looks different each time', async () => {
    const records = startRecords();
    await records.dispatch(granted);
    const first = await rawText();
    for (const secret of ['marked', 'ada', 'provider.example']) expect(first).not.toContain(secret);
    await records.dispatch(signedOut);
    await records.dispatch(granted);
    expect(await rawText()).not.toBe(first);
  });

  test('is gone when nothing is held', async () => {
    const records = startRecords();
    await records.dispatch(granted);
    await records.dispatch(signedOut);
    await records.dispatch({ type: 'revocation-answered', token: 'marked-refresh', result: 'done' });
    expect(await names('vault')).toEqual([]);
    const writes = watchWrites();
    await records.dispatch(granted);
    expect(writes).toHaveLength(1);
  });

  test('has the one key of its session beside it', async () => {
    const keys = async () => (await names('keys')).filter((name) => name !== vaultKeyName);
    const records = startRecords();
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => generateDpopKey()));
    const storedKey = async () => toPublic((await stored()).session?.dpopKey);
    await records.dispatch({ type: 'granted', session: { ...session, dpopKey: first! } });
    const bound = { ...again, dpopKey: second! };
    await records.dispatch({ type: 'granted', session: bound });
    await records.dispatch({ type: 'token-left-over', token: leftOver });
    expect(await storedKey()).toEqual(await toPublic(second));
    expect(await keys()).toHaveLength(1);
    const next = { ...bound, dpopKey: third! };
    await records.dispatch({ type: 'renewed', cause: bound, renewed: next, former: 'used' });
    expect(await storedKey()).toEqual(await toPublic(third));
    expect(await keys()).toHaveLength(1);
    await records.dispatch(signedOut);
    expect(await keys()).toEqual([]);
  });

  const putSealed = async (sealed: SealedRecord) => {
    const envelope = await readEnvelope();
    await withDatabase((database) => database.put('vault', { ...envelope, sealed }, recordName));
  };

  test.each<[string, () => Promise<void>]>([
    [
      'with a changed bit',
      async () => {
        const sealed = (await readEnvelope()).sealed!;
        const bytes = new Uint8Array(sealed.ciphertext);
        bytes[0] = (bytes[0] ?? 0) ^ 1;
        await putSealed({ ...sealed, ciphertext: bytes.buffer });
      },
    ],
    ['without its key', () => withDatabase((database) => database.delete('keys', vaultKeyName))],
    [
      'if another sealed record takes its place',
      async () => putSealed(await seal(await readKey(), 'another', { session })),
    ],
  ])('is lost %s, nothing of it stays, and a new session can begin', async (_how, damage) => {
    await startRecords().dispatch({
      type: 'granted',
      session: { ...session, dpopKey: await generateDpopKey() },
    });
    await damage();
    expect((await stored()).session).toBeNull();
    expect(await names('vault')).toEqual([]);
    expect(await names('keys')).toEqual([vaultKeyName]);
    await startRecords().dispatch(granted);
    expect((await stored()).session).toEqual(session);
  });
});

test('that the user has signed out is stored in clear, so that it outlives the key', async () => {
  place = 'browser';
  const records = startRecords();
  await records.dispatch(granted);
  await records.dispatch({ type: 'signed-out', by: 'user' });
  memory.items.clear();
  expect(await stored()).toMatchObject({ session: null, pendingRevocations: [], isSignedOutOnPurpose: true });
  const envelope = await withDatabase((database) => database.get('vault', recordName));
  expect(envelope).toMatchObject({ isSignedOutOnPurpose: true, sealed: null });
  await startRecords().dispatch(granted);
  expect(await stored()).toMatchObject({ session, isSignedOutOnPurpose: false });
});

describe('the key', () => {
  test('is not extractable on the device', async () => {
    await startRecords().dispatch(granted);
    const key = await readKey();
    expect(key.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow('key is not extractable');
  });

  test('is replaced by each write, so that nothing opens what a file keeps', async () => {
    const records = startRecords();
    await records.dispatch(granted);
    const envelope = await readEnvelope();
    const isKept = async () => (await open(await readKey(), recordName, envelope.sealed)) !== null;
    expect(await isKept()).toBe(true);
    await records.dispatch(ended);
    expect(await isKept()).toBe(false);
  });

  test.each([1, 2])(
    'opens the record although another worker has stored a session and ended it before use %i of the database',
    async (use) => {
      const other = startRecords();
      let uses = 0;
      const records = startRecords(async (work) => {
        uses += 1;
        if (uses === use) {
          await other.dispatch(granted);
          await other.dispatch(ended);
        }
        return withDatabase(work);
      });
      await records.dispatch({ type: 'token-left-over', token: leftOver });
      expect((await stored()).pendingRevocations).toMatchObject([{ token: 't' }]);
    },
  );

  test("is in the browser's memory alone with that persistence, so the record ends with the browser", async () => {
    place = 'browser';
    await startRecords().dispatch(granted);
    expect(await names('keys')).toEqual([]);
    expect((await stored()).session).toEqual(session);
    memory.items.clear();
    expect((await stored()).session).toBeNull();
  });
});

describe('a configuration that wants the key in another place', () => {
  test.each([
    ['device', 'browser'],
    ['browser', 'device'],
  ] as const)(
    'than the %s ends the session: its token is a pending revocation, and only the new key is left',
    async (from, to) => {
      place = from;
      await startRecords().dispatch({
        type: 'granted',
        session: { ...session, dpopKey: await generateDpopKey() },
      });
      place = to;
      expect(await stored()).toMatchObject({
        session: null,
        pendingRevocations: [{ token: 'marked-refresh' }],
      });
      expect(await names('keys')).toEqual(to === 'device' ? [vaultKeyName] : []);
      expect(memory.items.size).toBe(to === 'browser' ? 1 : 0);
      expect(await stored()).toMatchObject({
        session: null,
        pendingRevocations: [{ token: 'marked-refresh' }],
      });
    },
  );

  test('while the worker runs ends the session with the next event', async () => {
    const records = startRecords();
    await records.dispatch(granted);
    place = 'browser';
    const record = await records.dispatch({ type: 'token-left-over', token: leftOver });
    expect(record).toMatchObject({
      session: null,
      pendingRevocations: [{ token: 'marked-refresh' }, { token: 't' }],
    });
    expect(await stored()).toMatchObject({ session: null });
    expect(await names('keys')).toEqual([]);
  });

  test('writes nothing if nothing is stored', async () => {
    place = 'browser';
    const writes = watchWrites();
    await stored();
    expect(writes).toEqual([]);
  });

  test('finds the old key as long as nothing is sealed with the new one', async () => {
    await startRecords().dispatch(granted);
    place = 'browser';
    const stop = onTransaction(
      (stores, mode) => void (mode === 'readwrite' && Array.isArray(stores) && failFull()),
    );
    await expect(startRecords().read()).rejects.toMatchObject({ code: 'storage-failed' });
    stop();
    expect((await stored()).pendingRevocations).toMatchObject([{ token: 'marked-refresh' }]);
  });
});

describe('a write', () => {
  test('does not happen when a worker starts, or when an event changes nothing', async () => {
    await startRecords().dispatch(granted);
    const writes = watchWrites();
    const records = startRecords();
    await records.read();
    await records.dispatch(granted);
    await records.dispatch({ type: 'revocations-checked' });
    expect(writes).toEqual([]);
  });

  const lasting: readonly RecordEvent[] = [
    { type: 'granted', session: again },
    renewed,
    { type: 'renewal-tried', cause: session, tried: { renewalSentAtMs: 1 } },
    ended,
    signedOut,
    { type: 'token-left-over', token: { ...leftOver, token: 'another' } },
  ];
  const passing: readonly RecordEvent[] = [
    { type: 'code-shown', codeSignIn: { ...codeSignIn, startedAtMs: 2 } },
    { type: 'code-ended' },
    {
      type: 'renewal-failed',
      cause: session,
      failure: { problem: problem('offline'), request: 'unsent', retryAfterMs: 0 },
    },
    { type: 'user-info-asked', cause: session, nextAtMs: 9 },
    { type: 'profile-completed', cause: session, profile: { ...session.profile, name: 'Ada L.' } },
    { type: 'revocation-sent', token: 't' },
    { type: 'revocation-answered', token: 't', result: 'done' },
    { type: 'revocations-checked' },
  ];
  test.each([...lasting, ...passing])(
    'of $type waits for the disk unless a power cut may undo it',
    async (event) => {
      const records = startRecords();
      await records.dispatch(granted);
      await records.dispatch({ type: 'code-shown', codeSignIn });
      await records.dispatch({ type: 'token-left-over', token: leftOver });
      await records.dispatch({ type: 'revocation-sent', token: 't' });
      nowMs += 25 * 60 * 60 * 1000;
      const writes = watchWrites();
      await records.dispatch(event);
      expect(writes).toEqual([lasting.includes(event) ? 'strict' : 'default']);
    },
  );

  test('that is done and then fails is not done twice', async () => {
    let failures = 1;
    const records = startRecords(async (use) => {
      const result = await withDatabase(use);
      if (
        result === undefined &&
        failures > 0 &&
        (await withDatabase((one) => one.get('vault', recordName)))
      ) {
        failures -= 1;
        throw new ProblemError('storage-failed');
      }
      return result;
    });
    await records.dispatch(granted);
    expect(failures).toBe(0);
    await records.dispatch(renewed);
    expect(await stored()).toMatchObject({
      session: { id: 'session-1', generation: 2 },
      pendingRevocations: [],
    });
  });

  test('waits for those before it, as does a read, and those who follow the record are told of each', async () => {
    const records = startRecords();
    const changes = watchSessions(records);
    const writes = [records.dispatch(granted), records.dispatch(ended), records.dispatch(granted)];
    expect((await records.read()).session).toEqual(session);
    await Promise.all(writes);
    expect((await stored()).session).toEqual(session);
    expect(changes).toEqual([
      [undefined, 'session-1'],
      ['session-1', undefined],
      [undefined, 'session-1'],
    ]);
  });

  test('of a sign-out counts at once: nothing that is stored before it is shown', async () => {
    const records = startRecords();
    await records.read();
    const changes = watchSessions(records);
    await Promise.all([records.dispatch(granted), records.dispatch(signedOut)]);
    expect(changes.flat()).not.toContain(session.id);
    await records.dispatch({ type: 'granted', session: again });
    expect(changes.at(-1)).toEqual([undefined, again.id]);
  });

  test('is done however often another worker comes first', async () => {
    const other = startRecords();
    let times = 20;
    const records = startRecords(async (use) => {
      times -= 1;
      if (times >= 0)
        await other.dispatch({ type: 'granted', session: { ...session, id: `other-${times}` } });
      return withDatabase(use);
    });
    await records.dispatch({ type: 'token-left-over', token: leftOver });
    expect(times).toBeLessThan(0);
    expect((await stored()).pendingRevocations).toMatchObject([{ token: 't' }]);
  });
});

describe('a storage that fails', () => {
  let isBroken: boolean;
  const breakable: WithDatabase = (use) =>
    isBroken ? Promise.reject(new ProblemError('storage-failed')) : withDatabase(use);

  beforeEach(() => {
    isBroken = false;
  });

  test('keeps in memory all that could not be stored, and stores it on the disk with an event that may be lost', async () => {
    const records = startRecords(breakable);
    await records.dispatch(granted);
    isBroken = true;
    await expect(records.dispatch(renewed)).rejects.toMatchObject({ code: 'storage-failed' });
    await records.dispatchOrHold({ type: 'token-left-over', token: leftOver });
    expect((await records.read()).session?.tokens.refreshToken).toBe('second');
    expect(records.hasUnstored()).toBe(true);
    isBroken = false;
    nowMs = 9000;
    const writes = watchWrites();
    await records.dispatch({ type: 'code-shown', codeSignIn });
    expect(writes).toEqual(['strict']);
    expect(records.hasUnstored()).toBe(false);
    const pendingRevocations = [{ token: 't', queuedAtMs: 5000 }];
    expect(await stored()).toMatchObject({ session: { generation: 2 }, codeSignIn, pendingRevocations });
  });

  test('holds nothing in memory once the kept events come to nothing, and another pending revocation is not nothing', async () => {
    const records = startRecords(breakable);
    await records.dispatch({ type: 'token-left-over', token: { ...leftOver, token: 'stored' } });
    isBroken = true;
    await records.dispatchOrHold({ type: 'token-left-over', token: leftOver });
    expect(records.hasUnstored()).toBe(true);
    await records.dispatchOrHold({ type: 'revocation-answered', token: 't', result: 'done' });
    expect(records.hasUnstored()).toBe(false);
    await records.dispatchOrHold({ type: 'revocation-answered', token: 'stored', result: 'done' });
    await records.dispatchOrHold({ type: 'token-left-over', token: leftOver });
    expect(records.hasUnstored()).toBe(true);
  });

  test('holds a sign-out only in memory until the end of its write', async () => {
    const records = startRecords();
    await records.dispatch(granted);
    const held: boolean[] = [];
    onTransaction(() => void held.push(records.hasUnstored()));
    await records.dispatch(signedOut);
    expect(new Set(held)).toEqual(new Set([true]));
    expect(records.hasUnstored()).toBe(false);
  });

  test('keeps in memory that the user has signed out, although no session was there', async () => {
    const records = startRecords(breakable);
    await records.read();
    isBroken = true;
    const byUser = { type: 'signed-out', by: 'user' } as const;
    await expect(records.dispatch(byUser)).rejects.toMatchObject({ code: 'storage-failed' });
    isBroken = false;
    await records.dispatch({ type: 'revocations-checked' });
    expect((await stored()).isSignedOutOnPurpose).toBe(true);
  });
});
