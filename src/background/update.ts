// Applies an update of the extension: the browser offers it, and it takes effect when the extension is reloaded.

import * as v from 'valibot';
import { createStorageItem, type StorageArea } from '../bridge/storage-item.ts';
import type { Tasks } from './session/tasks.ts';

export interface Update {
  /** Reloads the extension for an update that the browser has offered, as soon as that disturbs nobody. */
  onAvailable(): void;
}

export interface UpdateParts {
  readonly tasks: Pick<Tasks, 'isIdle' | 'onIdle'>;
  /** The browser's memory: the worker may stop while the update waits. */
  readonly memory: StorageArea;
  readonly isPageOpen: () => Promise<boolean>;
  /** Whether a reload, which empties the browser's memory, costs the person something. */
  readonly isCostly: () => Promise<boolean>;
  readonly reload: () => void;
}

/**
 * An update waits while work is under way, while a page of the extension is open, and while a reload is costly. It looks
 * again whenever the last work has ended, which includes each command and each request of a page; no timer runs. An
 * update that waits takes effect when the browser restarts, at the latest. Chromium applies it by itself before that,
 * once the worker and all pages have stopped; nothing can prevent that.
 */
export function createUpdate({ tasks, memory, isPageOpen, isCostly, reload }: UpdateParts): Update {
  const item = createStorageItem(memory, 'update-offered', v.literal(true));
  /** Null until the memory is read: the last worker may have left an update. */
  let isOffered: boolean | null = null;

  const read = async () => {
    const stored = await item.read();
    isOffered ??= stored !== null;
    return isOffered;
  };

  const apply = async () => {
    if (!(isOffered ?? (await read()))) return;
    if ((await isPageOpen()) || (await isCostly())) return;
    // Before the reload, so that a memory that outlives it does not ask for another one.
    await item.remove();
    if (!tasks.isIdle()) {
      // Work has begun meanwhile, and this runs again at its end.
      await item.write(true);
      return;
    }
    // Another run may have been faster.
    if (!isOffered) return;
    isOffered = false;
    reload();
  };

  // If the browser or the storage fails, the update waits for the next chance.
  const tryToApply = () => void apply().catch(() => undefined);

  tasks.onIdle(tryToApply);
  return {
    onAvailable() {
      isOffered = true;
      // Only for a later worker: this one knows.
      item.write(true).catch(() => undefined);
      if (tasks.isIdle()) tryToApply();
    },
  };
}
