import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, test } from 'vitest';
import { createDatabase, type WithDatabase } from '../../../src/background/vault/database.ts';
import { generateDpopKey } from '../../../src/oidc/dpop.ts';
import type { VaultSession } from '../../../src/background/vault/vault-records.ts';
import { createVault, type Vault } from '../../../src/background/vault/vault.ts';
import { browserKey, deviceKey } from '../../../src/background/vault/vault-key.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';

const session: VaultSession = {
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
};
const renewed = {
  tokens: { ...session.tokens, accessToken: 'marked-access-2' },
  dpopKey: null,
  authenticatedAtMs: 2000,
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

/** The raw content of the database. */
async function rawText(): Promise<string> {
  const records = await withDatabase((database) => database.getAll('vault'));
  return records
    .map(({ iv, ciphertext }) => Buffer.concat([iv, new Uint8Array(ciphertext)]).toString('latin1'))
    .join();
}

test('the vault returns a session as it was stored', async () => {
  await vault.begin(session);
  expect(await vault.read()).toEqual(session);
  expect(await startVault().read()).toEqual(session);
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
  expect(await vault.read()).toEqual({ ...session, ...renewed, generation: 2 });
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
  expect(await vault.expire(session)).toBe('gone');
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
      version: 1,
      providerId: 'demo',
      issuer: 'https://provider.example',
      refreshToken: 'marked-refresh',
      endedAtMs: 3000,
      tries: 0,
    },
  ]);
});

test('an expired session leaves nothing', async () => {
  await vault.begin(session);
  expect(await vault.expire(session)).toBe('ended');
  expect(await vault.read()).toBeNull();
  expect((await vault.pendingRevocations()).size).toBe(0);
});

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
