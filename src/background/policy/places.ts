// Where the worker keeps what it stores. A policy may decide that, so the place is known only when the policy is.

import type { StorageArea } from '../../bridge/storage-item.ts';
import type { KeyPlace } from '../vault/vault-key.ts';

/** The area that `choose` resolves with. Each call waits for it. */
export function laterArea(choose: () => Promise<StorageArea>): StorageArea {
  return {
    get: async (key) => (await choose()).get(key),
    set: async (items) => (await choose()).set(items),
    remove: async (key) => (await choose()).remove(key),
  };
}

/** The place of the vault's key that `choose` resolves with. Each call waits for it. */
export function laterKey(choose: () => Promise<KeyPlace>): KeyPlace {
  return {
    expect: async () => (await choose()).expect(),
    find: async () => (await choose()).find(),
    remove: async () => (await choose()).remove(),
  };
}
