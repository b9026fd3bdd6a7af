import { expect, test } from 'vitest';
import { leaveFormerPlaceFirst } from '../../../src/background/vault/former-place.ts';
import { generateKey } from '../../../src/background/vault/seal.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeStorageArea } from '../../support/fake-browser.ts';

test('the key of the vault is fetched while the former place is looked at', async () => {
  const [key, found] = [await generateKey(false), deferred<null>()];
  const calls: string[] = [];
  const expecting = leaveFormerPlaceFirst({
    withDatabase: () => Promise.reject(new Error('There is nothing to move.')),
    key: {
      expect() {
        calls.push('key');
        return Promise.resolve(key);
      },
      find: () => Promise.resolve(key),
      remove: () => Promise.resolve(),
    },
    formerKey: {
      expect: () => Promise.reject(new Error('The former key is not created.')),
      find: () => found.promise,
      remove: () => Promise.resolve(),
    },
    formerArea: new FakeStorageArea(),
    formerItems: ['board'],
    nowMs: () => 0,
  }).expect();
  expect(calls).toEqual(['key']);
  found.resolve(null);
  expect(await expecting).toBe(key);
});
