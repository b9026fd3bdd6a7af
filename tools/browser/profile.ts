// A browser profile in a temporary folder, which is gone when the browser is.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Profile {
  readonly folder: string;
  /** Removes a temporary folder; leaves one that was given. */
  remove(): void;
  /** Removes it also when this process ends early. To be called after each launch, which sees to the browser's end. */
  removeAtExit(): void;
}

export function openProfile(given: string | undefined): Profile {
  if (given !== undefined) return { folder: given, remove: () => {}, removeAtExit: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-profile-'));
  const remove = () => {
    process.off('exit', remove);
    // The last of a browser's processes may still be writing when the first has ended.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return {
    folder,
    remove,
    removeAtExit() {
      // Listeners are called in their order, and the one that ends the browser has to come first.
      process.off('exit', remove);
      process.on('exit', remove);
    },
  };
}
