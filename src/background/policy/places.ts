// Where the worker keeps its board and its journal. A policy may decide that, so the area is known only when the policy is.

import type { StorageArea } from '../../bridge/storage-item.ts';

/** The area that `choose` resolves with. Each call waits for it. */
export function laterArea(choose: () => Promise<StorageArea>): StorageArea {
  return {
    get: async (key) => (await choose()).get(key),
    set: async (items) => (await choose()).set(items),
    remove: async (key) => (await choose()).remove(key),
  };
}
