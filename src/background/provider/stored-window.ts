// The window of the running flow in the browser's memory: it survives its worker, so that the next one can close it.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';

export interface StoredWindow {
  /** Stores the window of a flow that this worker runs. Best effort: without it the next worker leaves the window alone. */
  keep(id: number): void;
  /** Removes what is stored. Best effort, and never rejects. */
  forget(): Promise<void>;
  /** Removes what is stored, and calls `close` with it. Never rejects. */
  closeIfAny(): Promise<void>;
  /** The same, unless what is stored is the window of a flow that this worker runs. It does not wait until the window is gone. */
  closeOfLastWorker(): Promise<void>;
}

/** `close` closes the window, if it is still there. It never rejects. */
export function createStoredWindow(
  memory: StorageArea,
  close: (id: number) => Promise<void> | undefined,
): StoredWindow {
  const item = createStorageItem(memory, 'auth-window', v.number());
  /** Whose window's id may be stored. `none` if no id is: neither the last worker nor this one has left one behind. */
  let state: 'last-worker' | 'this-worker' | 'none' = 'last-worker';

  const forget = () => {
    state = 'none';
    return item.remove().catch(() => undefined);
  };

  /** Removes what is stored, and returns it; null if nothing is, or the storage fails. */
  const take = async () => {
    // A storage that cannot be read is read again for the next flow.
    const id = await item.read().catch(() => undefined);
    if (id === null) state = 'none';
    if (typeof id !== 'number') return null;
    await forget();
    return id;
  };

  return {
    keep(id) {
      state = 'this-worker';
      void item.write(id).catch(() => undefined);
    },
    forget,
    async closeIfAny() {
      const id = state === 'none' ? null : await take();
      if (id !== null) await close(id);
    },
    async closeOfLastWorker() {
      const id = state === 'last-worker' ? await take() : null;
      if (id !== null) void close(id);
    },
  };
}
