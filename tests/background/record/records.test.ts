// The record on the disk: sealed, stored as a whole, and read again if a write may or may not have succeeded.

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StoredSession, RecordEvent } from '../../../src/background/record/record.ts';
import {
  createDatabase,
  type Database,
  type SealedRecord,
  type WithDatabase,
} from '../../../src/background/record/database.ts';
import { recordName, open, seal, createMemoryKey } from '../../../src/background/record/disk.ts';
import { createRecords, type Records } from '../../../src/background/record/records.ts';
import { toPendingRevocation } from '../../../src/background/record/revocable.ts';
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
const refused = { code: 'storage-failed' };
const byUser = { type: 'signed-out', by: 'user' } as const;
const answered = (token: string): RecordEvent => ({
  type: 'revocation-answered',
  pending: toPendingRevocation({ ...leftOver, token }, 0),
  result: 'done',
  retryAfterMs: 0,
});
const renewed: RecordEvent = { type: 'renewed', cause: session, renewed: again, former: 'used' };

let withDatabase: WithDatabase;
let memory: FakeStorageArea;
let place: 'device' | 'browser';
let nowMs: number;

/** The records of a worker that has just started. */
const startRecords = (database = withDatabase) =>
  createRecords(
    {
      withDatabase: database,
      memoryKey: createMemoryKey(memory),
      persistence: () => Promise.resolve(place),
      nowMs: () => nowMs,
    },
    { runInBackground: () => undefined },
  );

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
    // Shorter texts would be there by chance one day.
    for (const secret of ['marked', 'session-1', 'provider.example']) expect(first).not.toContain(secret);
    await records.dispatch(signedOut);
    await records.dispatch(granted);
    expect(await rawText()).not.toBe(first);
  });

  test('is gone when nothing is held', async () => {
    const records = startRecords();
    await records.dispatch(granted);
    await records.dispatch(signedOut);
    await records.dispatch(answered('marked-refresh'));
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

  test('keeps the token of a session that it cannot read, to be revoked', async () => {
    await startRecords().dispatch(granted);
    nowMs = 1_800_000_000_000;
    const content = (await open(await readKey(), recordName, (await readEnvelope()).sealed)) as object;
    await putSealed(await seal(await readKey(), recordName, { ...content, session: 'of another version' }));
    const record = await startRecords().dispatch({ type: 'revocations-checked' });
    expect(record.pendingRevocations).toMatchObject([{ token: 'marked-refresh', revocableSinceMs: nowMs }]);
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

  test('reads the session although a key that is left over cannot be removed from a full disk', async () => {
    place = 'browser';
    await startRecords().dispatch(granted);
    const leftKey = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
    await withDatabase((database) => database.put('keys', leftKey, vaultKeyName));
    const stop = onTransaction(
      (stores, mode) => void (mode === 'readwrite' && Array.isArray(stores) && failFull()),
    );
    const records = startRecords();
    expect((await records.read()).session).toEqual(session);
    stop();
    await records.dispatch({ type: 'token-left-over', token: leftOver });
    expect(await names('keys')).toEqual([]);
  });

  test('leaves no key of the former place behind, although the record opens with its own', async () => {
    place = 'browser';
    await startRecords().dispatch(granted);
    const leftKey = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
    await withDatabase((database) => database.put('keys', leftKey, vaultKeyName));
    expect((await startRecords().read()).session).toEqual(session);
    expect(await names('keys')).toEqual([]);
  });

  test('finds the old key as long as nothing is sealed with the new one', async () => {
    await startRecords().dispatch(granted);
    place = 'browser';
    const stop = onTransaction(
      (stores, mode) => void (mode === 'readwrite' && Array.isArray(stores) && failFull()),
    );
    await expect(startRecords().read()).rejects.toMatchObject(refused);
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
    await records.dispatch({ type: 'code-ended' });
    await records.dispatch({ type: 'revocations-checked' });
    expect(writes).toEqual([]);
  });

  const lasting: readonly RecordEvent[] = [
    { type: 'granted', session: again },
    { type: 'grant-withdrawn', session, before: { session: null, isSignedOutOnPurpose: true } },
    renewed,
    ended,
    signedOut,
    { type: 'token-left-over', token: { ...leftOver, token: 'another' } },
  ];
  const passing: readonly RecordEvent[] = [
    { type: 'code-shown', codeSignIn: { ...codeSignIn, startedAtMs: 2 } },
    { type: 'code-ended' },
    {
      type: 'api-granted',
      cause: session,
      api: { key: 'pay', additionalScope: '' },
      tokens: { ...tokens, refreshToken: 'marked-refresh', idToken: 'i' },
    },
    { type: 'renewal-tried', cause: session, tried: { renewalSentAtMs: 1 } },
    {
      type: 'renewal-failed',
      cause: session,
      failure: { problem: problem('offline'), request: 'unsent', retryAfterMs: 0 },
    },
    { type: 'user-info-asked', cause: session, nextAtMs: 9 },
    { type: 'profile-completed', cause: session, profile: { ...session.profile, name: 'Ada L.' } },
    { type: 'revocation-sent', token: 't' },
    answered('t'),
    { type: 'revocations-checked' },
  ];
  test.each([...lasting, ...passing])(
    'of $type waits for the disk if it brings a token, or another answer to who is signed in',
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

describe('an event that is told again', () => {
  test('changes nothing, also if the next worker tells it', async () => {
    const records = startRecords();
    await records.dispatch({ type: 'token-left-over', token: leftOver });
    expect((await records.dispatch(granted, 'the sign-in')).applied).toContain('the sign-in');
    await records.dispatch(ended);
    const writes = watchWrites();
    for (const worker of [records, startRecords()])
      expect((await worker.dispatch(granted, 'the sign-in')).session).toBeNull();
    expect(writes).toEqual([]);
  });

  test('is known by its id as long as it is one of the last twenty that have changed the record', async () => {
    const records = startRecords();
    for (let at = 0; at < 22; at += 1) {
      await records.dispatch(
        { type: 'token-left-over', token: { ...leftOver, token: `t${at}` } },
        `id ${at}`,
      );
      await records.dispatch({ type: 'code-ended' }, 'of no effect');
    }
    const last = Array.from({ length: 20 }, (_id, at) => `id ${at + 2}`);
    expect((await stored()).applied).toEqual(last);
  });

  test('by another worker at the same time marks a renewal for one of them alone', async () => {
    const workers = [startRecords(), startRecords()];
    await workers[0]!.dispatch(granted);
    await Promise.all(workers.map((worker) => worker.read()));
    const attempt: RecordEvent = {
      type: 'renewal-tried',
      cause: session,
      tried: { renewalSentAtMs: nowMs },
    };
    const isApplied = await Promise.all(
      workers.map(async (worker, at) => (await worker.dispatch(attempt, `${at}`)).applied.includes(`${at}`)),
    );
    expect(isApplied.filter(Boolean)).toHaveLength(1);
  });
});

describe('a storage that fails', () => {
  /** With `answer`, a write is done and then fails. */
  let fault: 'none' | 'all' | 'writes' | 'answer';
  let uses: number;
  /** The events under way when the storage failed. */
  let underWay: (() => Promise<unknown>)[];
  const breakable: WithDatabase = (use) => {
    uses += 1;
    if (fault === 'none') return withDatabase(use);
    if (fault === 'answer')
      return withDatabase(use).then((result) => {
        if (result !== undefined) return result;
        fault = 'none';
        throw new ProblemError('storage-failed');
      });
    const fail = (): never => {
      underWay.push(() => withDatabase(use));
      throw new ProblemError('storage-failed');
    };
    return withDatabase((database) => {
      const transaction = (...[stores, mode]: Parameters<Database['transaction']>) =>
        mode === 'readwrite' || fault === 'all' ? fail() : database.transaction(stores, mode);
      return use({ transaction } as unknown as Database);
    });
  };
  /** The records of a worker that has stored a session, on a storage that fails from now on. */
  const startFailing = async () => {
    const records = startRecords(breakable);
    await records.dispatch(granted);
    fault = 'all';
    return records;
  };
  /** The disk hung, and goes on with the first or the last of what was under way. */
  const goOn = async (at: 0 | -1 = 0): Promise<void> => {
    await underWay.at(at)?.();
    fault = 'none';
  };
  /** Waits until what is held in memory was tried to be stored. */
  const pass = async (records: Records, durationMs = 1_000) => {
    await vi.advanceTimersByTimeAsync(durationMs);
    return records.read();
  };

  beforeEach(() => {
    [fault, uses, underWay] = ['none', 0, []];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  test('keeps in memory what has to be kept, and stores it on the disk with an event that may be lost', async () => {
    const records = await startFailing();
    await records.dispatchOrHold(renewed);
    await records.dispatchOrHold({ type: 'token-left-over', token: leftOver });
    expect((await records.read()).session?.tokens.refreshToken).toBe('second');
    expect(records.hasUnstored()).toBe(true);
    fault = 'none';
    nowMs = 9000;
    const writes = watchWrites();
    await records.dispatch({ type: 'code-shown', codeSignIn });
    expect(writes).toEqual(['strict']);
    expect(records.hasUnstored()).toBe(false);
    const pendingRevocations = [{ token: 't', queuedAtMs: 5000 }];
    expect(await stored()).toMatchObject({ session: { generation: 2 }, codeSignIn, pendingRevocations });
  });

  test('keeps nothing of an event that changes nothing', async () => {
    const records = await startFailing();
    nowMs += 1;
    await records.dispatchOrHold({ type: 'token-left-over', token: leftOver });
    await records.dispatchOrHold({ type: 'token-left-over', token: leftOver });
    fault = 'none';
    await pass(records);
    fault = 'all';
    await records.dispatchOrHold({ type: 'revocations-checked' });
    expect(records.hasUnstored()).toBe(false);
    expect((await stored()).pendingRevocations).toHaveLength(1);
  });

  test('stores what it keeps by itself once it works again, and those who follow the record learn of each change once', async () => {
    const records = startRecords(breakable);
    await records.dispatch(granted);
    const changes: unknown[] = [];
    records.subscribe((record) => changes.push(record.session?.generation));
    fault = 'all';
    expect((await records.dispatchOrHold(renewed)).session?.generation).toBe(2);
    fault = 'none';
    await pass(records);
    expect(records.hasUnstored()).toBe(false);
    expect((await stored()).session).toMatchObject({ generation: 2, tokens: { refreshToken: 'second' } });
    expect(new Set(changes)).toEqual(new Set([2]));
  });

  test('is tried again after 1, 2, 4, 8 and 16 s', async () => {
    const records = await startFailing();
    await records.dispatchOrHold(renewed);
    for (const seconds of [1, 2, 4, 8, 16]) {
      const before = uses;
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(uses).toBe(before);
      await pass(records, 1);
      expect(uses).toBeGreaterThan(before + 1);
    }
    expect(vi.getTimerCount()).toBe(0);
    expect(records.hasUnstored()).toBe(true);
    fault = 'none';
    await records.dispatchOrHold({ type: 'token-left-over', token: leftOver });
    expect((await stored()).session?.generation).toBe(2);
  });

  test('does not store twice what it had stored before it failed, however many events that were', async () => {
    const records = startRecords(breakable);
    await records.dispatch({ type: 'token-left-over', token: leftOver });
    fault = 'writes';
    for (let at = 0; at < 2; at += 1) await records.dispatchOrHold({ type: 'revocation-sent', token: 't' });
    for (let at = 0; at < 30; at += 1)
      await records.dispatchOrHold({ type: 'token-left-over', token: { ...leftOver, token: `t${at}` } });
    await goOn(-1);
    const { pendingRevocations } = await pass(records);
    expect(pendingRevocations).toHaveLength(31);
    expect(pendingRevocations[0]).toMatchObject({ token: 't', pause: { lengthMs: 2_000 } });
    expect(records.hasUnstored()).toBe(false);
  });

  test('does not undo what came after an event of no effect', async () => {
    const records = await startFailing();
    await expect(records.dispatch({ type: 'code-shown', codeSignIn })).rejects.toMatchObject(refused);
    fault = 'answer';
    const second = { ...codeSignIn, startedAtMs: 9 };
    await records.dispatch({ type: 'code-shown', codeSignIn: second });
    expect(fault).toBe('none');
    expect((await stored()).codeSignIn).toEqual(second);
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
    fault = 'all';
    await records.dispatchOrHold(byUser);
    fault = 'none';
    await pass(records);
    expect((await stored()).isSignedOutOnPurpose).toBe(true);
  });

  test('ends with a sign-out that it keeps the session that was there, and none that another worker has begun', async () => {
    const records = await startFailing();
    expect((await records.dispatchOrHold(byUser)).session).toBeNull();
    await startRecords().dispatch({ type: 'granted', session: again });
    fault = 'none';
    await pass(records);
    expect(await stored()).toMatchObject({ session: { id: again.id }, isSignedOutOnPurpose: false });
    fault = 'all';
    await records.dispatchOrHold(byUser);
    fault = 'none';
    await pass(records);
    expect(await stored()).toMatchObject({ session: null, isSignedOutOnPurpose: true });
  });

  const accessAlone = { ...tokens, accessToken: 'a', refreshToken: null, idToken: null };
  const stepUp: StoredSession = { ...again, tokens: accessAlone };
  const grace = { ...again, profile: { ...session.profile, subject: 'grace' } };

  describe.each([
    ['that fails', () => void (fault = 'none')],
    ['that hangs, and does late what it had begun,', goOn],
  ] satisfies [string, () => unknown][])('and an event that was refused: a storage %s', (_how, repair) => {
    test.each<[string, StoredSession, string]>([
      ['of another user', grace, 'second'],
      ['of the same user', again, 'second'],
      ['of the same user without a refresh token', stepUp, 'a'],
    ])('has the former session after a sign-in %s', async (_who, next, token) => {
      const records = await startFailing();
      await expect(records.dispatch({ type: 'granted', session: next })).rejects.toMatchObject(refused);
      expect((await records.read()).session).toEqual(session);
      await repair();
      const before = await records.read();
      expect(await pass(records)).toMatchObject({ session, pendingRevocations: [{ token }] });
      expect(before.session).toEqual(session);
      expect(await stored()).toMatchObject({ session, pendingRevocations: [{ token }] });
    });

    test('has no session after a sign-in if the user has signed out before', async () => {
      const records = startRecords(breakable);
      await records.dispatch(granted);
      fault = 'writes';
      await records.dispatchOrHold(byUser);
      underWay = [];
      await expect(records.dispatch({ type: 'granted', session: grace })).rejects.toMatchObject(refused);
      await repair();
      const { session: former, isSignedOutOnPurpose, pendingRevocations } = await pass(records);
      expect({ former, isSignedOutOnPurpose }).toEqual({ former: null, isSignedOutOnPurpose: true });
      expect(pendingRevocations.map(({ token }) => token).toSorted()).toEqual(['marked-refresh', 'second']);
      expect(await stored()).toMatchObject({ session: null, isSignedOutOnPurpose });
    });

    test('has no code that was not shown', async () => {
      const records = await startFailing();
      await expect(records.dispatch({ type: 'code-shown', codeSignIn })).rejects.toMatchObject(refused);
      await repair();
      await pass(records);
      expect(await stored()).toMatchObject({ session, codeSignIn: null });
    });
  });
});
