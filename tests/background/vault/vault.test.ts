// The vault: the session together with the key that its tokens are bound to.

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, test } from 'vitest';
import type { Failure } from '../../../src/background/record/pause.ts';
import { createDatabase } from '../../../src/background/vault/database.ts';
import { createRecords, type Records } from '../../../src/background/vault/records.ts';
import { browserKey, deviceKey } from '../../../src/background/vault/vault-key.ts';
import { createVault, type Vault, type VaultSession } from '../../../src/background/vault/vault.ts';
import { generateDpopKey } from '../../../src/oidc/dpop.ts';
import type { AccessTokenSet } from '../../../src/oidc/tokens.ts';
import { problem } from '../../../src/session/problem.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';
import { toSession } from '../../support/stored-session.ts';

const tokens: AccessTokenSet = {
  type: 'DPoP',
  accessToken: 'access',
  expiresAtMs: 60_000_000,
  refreshToken: 'refresh',
  idToken: 'id',
};
const unbound: VaultSession = { ...toSession({ tokens }), dpopKey: null };
const toRenewed = (dpopKey: CryptoKeyPair | null) => ({
  tokens: { ...tokens, accessToken: 'access-2', refreshToken: 'refresh-2' },
  dpopKey,
  authenticatedAtMs: 2000,
  originalClaims: null,
});
const failure: Failure = { problem: problem('timed-out'), request: 'unanswered', retryAfterMs: 0 };

let records: Records;
let isAllowed: boolean;
let vault: Vault;
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  const withDatabase = createDatabase();
  records = createRecords({
    withDatabase,
    keys: { device: deviceKey(withDatabase), browser: browserKey(new FakeStorageArea()) },
    decidePlace: () => Promise.resolve('device'),
    nowMs: () => 5000,
  });
  isAllowed = true;
  vault = createVault(records, () => isAllowed);
});

/** Begins a session, and returns it as the vault holds it. */
async function begin(session: VaultSession = unbound): Promise<VaultSession> {
  await vault.begin(session);
  return (await vault.read())!;
}
const nameOfKey = async () => (await records.read()).record.session?.dpopKey;

test('nothing is read before a session begins, nor one that the settings of now do not allow', async () => {
  expect(await vault.read()).toBeNull();
  expect(await begin()).toEqual(unbound);
  isAllowed = false;
  expect(await vault.read()).toBeNull();
});

test('the same record gives the same session, so that a request can be recognized', async () => {
  expect(await begin()).toBe(await vault.read());
});

test('a session without a key has no name of one, and keeps none after a renewal', async () => {
  const session = await begin();
  expect(await nameOfKey()).toBeNull();
  expect(await vault.renew(session, toRenewed(null), 'used')).toBe('kept');
  expect(await nameOfKey()).toBeNull();
  expect(await vault.read()).toEqual({ ...unbound, ...toRenewed(null), generation: 2 });
});

test('renewed tokens keep their key under its name, and another key gets another name', async () => {
  const [first, second] = await Promise.all([generateDpopKey(), generateDpopKey()]);
  const session = await begin({ ...unbound, dpopKey: first });
  const name = await nameOfKey();
  expect(name).toMatch(/^dpop:/);
  await vault.renew(session, toRenewed(session.dpopKey), 'used');
  expect(await nameOfKey()).toBe(name);
  const renewed = (await vault.read())!;
  expect(renewed.dpopKey).toBe(first);
  await vault.renew(renewed, toRenewed(second), 'used');
  expect(await nameOfKey()).toMatch(/^dpop:/);
  expect(await nameOfKey()).not.toBe(name);
  expect((await vault.read())?.dpopKey).toBe(second);
});

test('a late result says that its session is gone, and changes nothing but debts', async () => {
  const late = await begin();
  const now = await begin({ ...unbound, id: 'session-2', tokens: { ...tokens, refreshToken: 'another' } });
  expect(await vault.renew(late, toRenewed(null), 'used')).toBe('gone');
  expect(await vault.note(late, { renewalSentAtMs: 7 })).toBe('gone');
  await vault.fail(late, failure);
  await vault.end(late, 'used', problem('expired'));
  expect(await vault.read()).toBe(now);
  const { debts } = (await records.read()).record;
  expect(debts.map(({ token }) => token)).toEqual(['refresh', 'refresh-2']);
});
