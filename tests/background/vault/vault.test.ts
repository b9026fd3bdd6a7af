import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase, type WithDatabase } from '../../../src/background/vault/database.ts';
import { generateDpopKey } from '../../../src/oidc/dpop.ts';
import type { OriginalClaims } from '../../../src/oidc/original-claims.ts';
import type { AccessTokenSet } from '../../../src/oidc/tokens.ts';
import {
  toLooseToken,
  type LooseToken,
  type VaultSession,
} from '../../../src/background/vault/vault-records.ts';
import { createVault, type Vault } from '../../../src/background/vault/vault.ts';
import { open, seal } from '../../../src/background/vault/seal.ts';
import { browserKey, deviceKey, type KeyPlace } from '../../../src/background/vault/vault-key.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';

const claims: OriginalClaims = {
  audiences: ['client', 'marked-audience'],
  authorizedParty: 'client',
  nonce: 'marked-nonce',
  authTimeSeconds: 7,
};
const session: VaultSession & { readonly tokens: AccessTokenSet } = {
  version: 1,
  id: 'session-1',
  issuer: 'https://provider.example',
  clientId: 'client',
  profile: {
    providerId: 'demo',
    subject: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    emailVerified: true,
    picture: null,
  },
  startedAtMs: 1000,
  authenticatedAtMs: 1000,
  additionalScope: '',
  generation: 1,
  dpopKey: null,
  tokens: {
    type: 'Bearer',
    accessToken: 'marked-access',
    expiresAtMs: 2000,
    refreshToken: 'marked-refresh',
    idToken: 'marked-id',
  },
  originalClaims: claims,
};
const renewed = {
  tokens: { ...session.tokens, accessToken: 'marked-access-2' },
  dpopKey: null,
  authenticatedAtMs: 2000,
  originalClaims: { ...claims, nonce: 'marked-nonce-2' },
};

let withDatabase: WithDatabase;
let vault: Vault;

/** The vault of a worker that has just started. */
const startVault = () => createVault(withDatabase, deviceKey(withDatabase));

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  withDatabase = createDatabase();
  vault = startVault();
});

async function pendingTokens(): Promise<string[]> {
  return [...(await vault.pendingRevocations()).values()].map(({ refreshToken }) => refreshToken).toSorted();
}

/** The raw content of the database. */
async function rawText(): Promise<string> {
  const records = await withDatabase((database) => database.getAll('vault'));
  return records
    .map(({ iv, ciphertext }) => Buffer.concat([iv, new Uint8Array(ciphertext)]).toString('latin1'))
    .join();
}

function expectToken(stored: VaultSession): LooseToken {
  const token = toLooseToken(stored);
  if (token === null) throw new Error('The session has no refresh token.');
  return token;
}

test('the vault returns a session as it was stored', async () => {
  await vault.begin(session);
  expect(await vault.read()).toEqual(session);
  expect(await startVault().read()).toEqual(session);
});

test('the record of the session is fetched while the key is', async () => {
  await vault.begin(session);
  const expected = deferred<CryptoKey>();
  const reads: string[] = [];
  const next = createVault(
    (use) => {
      reads.push('record');
      return withDatabase(use);
    },
    { expect: () => expected.promise },
  );
  const reading = next.read();
  await expect.poll(() => reads).toEqual(['record']);
  expected.resolve(await deviceKey(withDatabase).expect());
  expect(await reading).toEqual(session);
});

test.each<[string, Partial<VaultSession>]>([
  ['without the claims of its sign-in, as an older version stored it', {}],
  [
    'without an azp and an auth_time',
    { originalClaims: { ...claims, authorizedParty: null, authTimeSeconds: null } },
  ],
])('a session %s is read', async (_title, change) => {
  const { originalClaims: _, ...older } = session;
  await vault.begin({ ...older, ...change });
  expect(await startVault().read()).toEqual({ ...older, ...change });
});

test('the vault opens a record once and then reads it from memory', async () => {
  let uses = 0;
  const counted = createVault((use) => {
    uses += 1;
    return withDatabase(use);
  }, deviceKey(withDatabase));
  await vault.begin(session);
  for (const name of ['opened', 'known']) expect([name, await counted.read()]).toEqual([name, session]);
  expect(uses).toBe(1);
  await counted.renew(session, renewed);
  expect((await counted.read())?.tokens).toEqual(renewed.tokens);
  expect(uses).toBe(2);
  await counted.end(3000);
  expect(await counted.read()).toBeNull();
});

test('each write of a session and each token that is queued is on the disk when it is done', async () => {
  const writes: (readonly [names: unknown, durability: unknown])[] = [];
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
  onTestFinished(() => transaction.mockRestore());
  const noted = async (work: Promise<unknown>) => {
    await work;
    for (const [names, mode, options] of transaction.mock.calls.splice(0)) {
      if (mode === 'readwrite') writes.push([names, options?.durability]);
    }
  };
  await vault.begin(session);
  transaction.mockClear();
  await noted(vault.begin({ ...session, id: 'session-2' }));
  const second = { ...session, id: 'session-2' };
  await noted(vault.note(second, { renewalSentAtMs: 1 }));
  await noted(vault.renew(second, renewed));
  await noted(vault.drop({ ...expectToken(session), refreshToken: 'dropped', subject: null }, 1));
  await noted(vault.end(3000));
  expect(writes).toHaveLength(5);
  expect(writes.map(([, durability]) => durability)).toEqual(Array.from({ length: 5 }, () => 'strict'));
});

test('the vault reads the record again after a failed write', async () => {
  await vault.begin(session);
  const noKey = { privateKey: () => 'cannot be kept' } as unknown as CryptoKeyPair;
  await expect(vault.begin({ ...session, id: 'session-2', dpopKey: noKey })).rejects.toMatchObject({
    code: 'storage-failed',
  });
  expect(await vault.read()).toEqual(await startVault().read());
});

test('an empty vault has no session', async () => {
  expect(await vault.read()).toBeNull();
});

test('the raw database contains nothing of a session in plain text', async () => {
  await vault.begin(session);
  await vault.end(3000);
  await vault.begin(session);
  const raw = await rawText();
  for (const secret of ['marked', 'ada', 'provider.example']) expect(raw).not.toContain(secret);
});

test('the key on the device is not extractable', async () => {
  await vault.begin(session);
  const key = (await withDatabase((database) => database.get('keys', 'vault-key'))) as CryptoKey;
  expect(key.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow('key is not extractable');
});

test('the same session is sealed differently each time', async () => {
  await vault.begin(session);
  const first = await rawText();
  await vault.begin(session);
  expect(await rawText()).not.toBe(first);
});

test('without its key a session cannot be read, and a new one can begin', async () => {
  await vault.begin(session);
  await withDatabase((database) => database.delete('keys', 'vault-key'));
  expect(await startVault().read()).toBeNull();
  await vault.begin(session);
  expect(await vault.read()).toEqual(session);
});

test.each<[string, (bytes: Uint8Array<ArrayBuffer>) => void]>([
  ['a changed bit', (bytes) => void (bytes[0] = (bytes[0] ?? 0) ^ 1)],
  ['a changed end', (bytes) => void (bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1)],
])('a record with %s cannot be read', async (_title, change) => {
  await vault.begin(session);
  const record = await withDatabase((database) => database.get('vault', 'session'));
  const bytes = new Uint8Array(record!.ciphertext);
  change(bytes);
  await withDatabase((database) =>
    database.put('vault', { ...record!, ciphertext: bytes.buffer }, 'session'),
  );
  expect(await startVault().read()).toBeNull();
});

test('a record in the place of another cannot be read', async () => {
  await vault.begin(session);
  await vault.end(3000);
  const [key] = [...(await vault.pendingRevocations()).keys()];
  const revocation = await withDatabase((database) => database.get('vault', key ?? ''));
  await withDatabase((database) => database.put('vault', revocation!, 'session'));
  expect(await startVault().read()).toBeNull();
});

const dpopNames = () =>
  withDatabase(async (database) =>
    (await database.getAllKeys('keys')).filter((name) => name !== 'vault-key'),
  );

test('the DPoP key is stored with the tokens and is not extractable', async () => {
  const dpopKey = await generateDpopKey();
  await vault.begin({ ...session, dpopKey });
  const stored = await vault.read();
  expect(stored?.dpopKey?.privateKey.extractable).toBe(false);
  const [one, other] = await Promise.all(
    [dpopKey, stored?.dpopKey].map((pair) => crypto.subtle.exportKey('jwk', pair?.publicKey as CryptoKey)),
  );
  expect(one).toEqual(other);
});

test('the DPoP key is replaced and removed together with its tokens', async () => {
  await vault.begin({ ...session, dpopKey: await generateDpopKey() });
  await vault.begin({ ...session, id: 'session-2', dpopKey: await generateDpopKey() });
  expect(await dpopNames()).toEqual(['dpop:session-2']);
  const [stored, next] = [await vault.read(), await generateDpopKey()];
  await vault.renew(stored as VaultSession, { ...renewed, dpopKey: next });
  expect(await dpopNames()).toEqual(['dpop:session-2']);
  await vault.renew((await vault.read()) as VaultSession, renewed);
  expect(await dpopNames()).toEqual([]);
  await vault.begin({ ...session, dpopKey: next });
  await vault.end(3000);
  expect(await dpopNames()).toEqual([]);
});

test('renew stores tokens for the session that they belong to', async () => {
  await vault.begin(session);
  expect(await vault.renew(session, renewed)).toBe('kept');
  expect(await vault.read()).toMatchObject({ ...session, ...renewed, generation: 2 });
});

test.each<[string, (vault: Vault) => Promise<unknown>]>([
  ['has been renewed before', (stored) => stored.renew(session, renewed)],
  ['has been replaced', (stored) => stored.begin({ ...session, id: 'session-2' })],
  ['has ended', (stored) => stored.end(3000)],
])('a late renewal of a session that %s changes nothing', async (_title, overtake) => {
  await vault.begin(session);
  await overtake(vault);
  const before = await vault.read();
  expect(await vault.renew(session, { ...renewed, authenticatedAtMs: 9000 })).toBe('gone');
  expect(await vault.expire(session, 9000, 'unrefused')).toBe('gone');
  expect(await vault.read()).toEqual(before);
});

test('complete stores a profile even if the tokens were renewed meanwhile', async () => {
  await vault.begin(session);
  await vault.renew(session, renewed);
  const profile = { ...session.profile, picture: 'https://pictures.example/ada.png' };
  expect(await vault.complete(session, profile)).toBe('kept');
  expect(await vault.read()).toMatchObject({ profile, ...renewed });
});

test('an ended session leaves exactly the data that its revocation needs', async () => {
  await vault.begin(session);
  await vault.end(3000);
  expect(await vault.read()).toBeNull();
  expect([...(await vault.pendingRevocations()).values()]).toEqual([
    {
      version: 2,
      providerId: 'demo',
      issuer: 'https://provider.example',
      clientId: 'client',
      subject: 'ada',
      refreshToken: 'marked-refresh',
      queuedAtMs: 3000,
      endedAtMs: 3000,
      tries: 0,
    },
  ]);
});

test.each([
  ['refused', []],
  ['unrefused', ['marked-refresh']],
] as const)(
  'an expired session with a refresh token that was %s leaves %j to revoke',
  async (token, left) => {
    await vault.begin(session);
    expect(await vault.expire(session, 3000, token)).toBe('ended');
    expect(await vault.read()).toBeNull();
    expect(await pendingTokens()).toEqual(left);
  },
);

test('operations run in the order of their calls', async () => {
  const [, , stored] = await Promise.all([
    vault.begin(session),
    vault.end(3000),
    vault.read(),
    vault.begin(session),
  ]);
  expect(stored).toBeNull();
  expect(await vault.read()).toEqual(session);
});

test('a failing database rejects with storage-failed, and the vault works again afterwards', async () => {
  await vault.begin(session);
  const factory = globalThis.indexedDB;
  globalThis.indexedDB = {
    open: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  } as unknown as IDBFactory;
  const failing = createDatabase();
  const blocked = createVault(failing, deviceKey(failing));
  await expect(blocked.begin(session)).rejects.toMatchObject({
    code: 'storage-failed',
    detail: 'QuotaExceededError',
  });
  globalThis.indexedDB = factory;
  expect(await blocked.read()).toEqual(session);
});

test("with persistence browser the key is in the browser's memory alone", async () => {
  const memory = new FakeStorageArea();
  const ofBrowser = createVault(withDatabase, browserKey(memory));
  await ofBrowser.begin(session);
  expect(await withDatabase((database) => database.getAllKeys('keys'))).toEqual([]);
  expect(await createVault(withDatabase, browserKey(memory)).read()).toEqual(session);
  memory.items.clear();
  expect(await createVault(withDatabase, browserKey(memory)).read()).toBeNull();
});

test.each<[string, () => () => KeyPlace]>([
  [
    'on the device by one worker',
    () => {
      const place = deviceKey(withDatabase);
      return () => place;
    },
  ],
  ['on the device by two workers', () => () => deviceKey(withDatabase)],
  [
    "in the browser's memory",
    () => {
      const place = browserKey(new FakeStorageArea());
      return () => place;
    },
  ],
])(
  'what is sealed under a key that is created twice at once, %s, can be opened',
  async (_where, toPlaces) => {
    const toPlace = toPlaces();
    const [first, second] = await Promise.all([toPlace().expect(), toPlace().expect()]);
    const kept = await toPlace().find();
    for (const key of [first, second]) {
      expect(await open(kept!, 'name', await seal(key, 'name', 'content'))).toBe('content');
    }
  },
);

/** The same account, signed in once more. */
const again: VaultSession = {
  ...session,
  id: 'session-2',
  startedAtMs: 5000,
  tokens: { ...session.tokens, refreshToken: 'marked-refresh-2' },
};
const dueTokens = async (nowMs: number) =>
  [...(await vault.dueRevocations(nowMs)).values()].map(({ refreshToken }) => refreshToken);

test.each<[string, Partial<VaultSession>]>([
  ['issuer', { issuer: 'https://other.example' }],
  ['client', { clientId: 'other-client' }],
  ['subject', { profile: { ...session.profile, subject: 'grace' } }],
])(
  'a session of another %s replaces one whose refresh token is then to be revoked',
  async (_title, other) => {
    await vault.begin(session);
    await vault.begin({ ...again, ...other });
    expect(await dueTokens(6000)).toEqual(['marked-refresh']);
  },
);

test('a replaced token of the same account waits for the end of the session', async () => {
  await vault.begin(session);
  await vault.begin(again);
  expect(await pendingTokens()).toEqual(['marked-refresh']);
  expect(await dueTokens(6000)).toEqual([]);
  await vault.end(7000);
  expect(await dueTokens(8000)).toEqual(['marked-refresh-2', 'marked-refresh']);
});

test('a token of an ended session waits again while the same account is signed in, and is due for a whole day after', async () => {
  await vault.begin(session);
  await vault.end(3000);
  await vault.begin(again);
  expect(await dueTokens(6000)).toEqual([]);
  await vault.end(99_000_000);
  expect(await dueTokens(99_000_000)).toEqual(['marked-refresh-2', 'marked-refresh']);
  const due = [...(await vault.dueRevocations(99_000_001)).values()];
  expect(due.map(({ endedAtMs }) => endedAtMs)).toEqual([99_000_000, 99_000_000]);
});

test('only the newest replaced tokens of an account are kept', async () => {
  for (let times = 0; times < 25; times += 1) {
    const tokens = { ...session.tokens, refreshToken: `refresh-${times}` };
    await vault.begin({ ...session, id: `session-${times}`, startedAtMs: times, tokens });
  }
  await vault.dueRevocations(6000);
  await vault.end(7000);
  expect(await dueTokens(8000)).toEqual(Array.from({ length: 21 }, (_one, index) => `refresh-${24 - index}`));
});

test('a token that the stored session uses is not queued', async () => {
  await vault.begin(session);
  await vault.begin({ ...session, id: 'session-2' });
  await vault.drop(expectToken({ ...session, id: 'session-3' }), 3000);
  await vault.renew((await vault.read()) as VaultSession, renewed, {
    providerId: 'demo',
    issuer: session.issuer,
    clientId: session.clientId,
    subject: null,
    refreshToken: 'marked-refresh',
  });
  expect(await pendingTokens()).toEqual([]);
});

test('a pending revocation of version 1, which names no client, can still be read', async () => {
  const first = {
    version: 1,
    providerId: 'demo',
    issuer: session.issuer,
    refreshToken: 'first',
    endedAtMs: 3000,
    tries: 2,
  };
  const key = await deviceKey(withDatabase).expect();
  const name = 'revocation:1';
  const sealed = await seal(key, name, first);
  await withDatabase((database) => database.put('vault', sealed, name));
  // It was queued because no session shares its grant.
  await vault.begin(session);
  expect([...(await vault.dueRevocations(4000)).values()]).toEqual([
    { ...first, version: 2, clientId: null, subject: null, queuedAtMs: 3000 },
  ]);
});

test('a record that cannot be opened is deleted together with its DPoP key', async () => {
  await vault.begin({ ...session, dpopKey: await generateDpopKey() });
  await withDatabase((database) => database.delete('keys', 'vault-key'));
  expect(await startVault().read()).toBeNull();
  expect(await withDatabase((database) => database.getAllKeys('vault'))).toEqual([]);
  expect(await dpopNames()).toEqual([]);
});

test('what was tried is stored with the session, and forgotten when its tokens are renewed', async () => {
  const silentTry = { atMs: 2000, failure: 'timed-out' } as const;
  await vault.begin(session);
  expect(await vault.note(session, { renewalSentAtMs: 2000, silentTry })).toBe('kept');
  expect(await startVault().read()).toEqual({ ...session, renewalSentAtMs: 2000, silentTry });
  await vault.renew(session, renewed);
  expect(await startVault().read()).toMatchObject({ renewalSentAtMs: null, silentTry: null });
  expect(await vault.note(session, { renewalSentAtMs: 3000 })).toBe('gone');
});

test.each<[string, () => Promise<unknown>]>([
  ['the begin of a session', () => vault.begin(again)],
  ['a renewal', () => vault.renew(session, renewed)],
  ['the note that a refresh token is sent', () => vault.note(session, { renewalSentAtMs: 2000 })],
  ['the end of a session', () => vault.end(3000)],
  ['the expiry of a session', () => vault.expire(session, 3000, 'refused')],
  ['a discarded token', () => vault.drop(expectToken({ ...again, clientId: 'other' }), 3000)],
])('%s is on the disk when it is done', async (_title, write) => {
  await vault.begin(session);
  const durabilities: unknown[] = [];
  const watched: WithDatabase = (use) =>
    withDatabase((database) =>
      use(
        new Proxy(database, {
          get(target, name) {
            const value: unknown = Reflect.get(target, name, target);
            if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
            return (...parameters: Parameters<typeof database.transaction>) => {
              durabilities.push(parameters[2]?.durability);
              return target.transaction(...parameters);
            };
          },
        }),
      ),
    );
  vault = createVault(watched, deviceKey(watched));
  await write();
  expect(durabilities).toEqual(['strict']);
});
