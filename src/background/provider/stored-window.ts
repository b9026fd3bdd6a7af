// The window of the running flow in the browser's memory: it survives its worker, so that the next one can close it.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../../bridge/storage-item.ts';

export interface StoredWindow {
  /** Stores the window of a flow that this worker runs. Best effort: without it the next worker leaves the window alone. */
  keep(id: number): void;
  /** Removes what is stored. Best effort, and never rejects. */
  forget(): Promise<void>;
  /** Closes the window that the last worker has left behind. Doesn't wait until the window is gone. Never rejects. */
  closeOfLastWorker(): Promise<void>;
}

/** `close` closes the window, if it is still there. It never rejects. */
export function createStoredWindow(memory: StorageArea, close: (id: number) => void): StoredWindow {
  const item = createStorageItem(memory, 'auth-window', v.number());
  let mayBeOfLastWorker = true;

  const forget = () => {
    mayBeOfLastWorker = false;
    return item.remove().catch(() => undefined);
  };

  return {
    keep(id) {
      mayBeOfLastWorker = false;
      void item.write(id).catch(() => undefined);
    },
    forget,
    async closeOfLastWorker() {
      if (!mayBeOfLastWorker) return;
      // A storage that cannot be read is read again for the next flow.
      const id = await item.read().catch(() => undefined);
      if (id === undefined) return;
      if (id === null) mayBeOfLastWorker = false;
      else {
        await forget();
        close(id);
      }
    },
  };
}
