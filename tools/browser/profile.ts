// A browser profile in a temporary folder, which is removed with the browser.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Profile {
  readonly folder: string;
  remove(): void;
  /** Removes it also if this process exits early. Call it after each launch, which registers the browser's own exit. */
  removeAtExit(): void;
}

/** Creates a profile in `temporaryDir`. */
export function createProfile(temporaryDir = tmpdir()): Profile {
  const folder = mkdtempSync(join(temporaryDir, 'latchkey-profile-'));
  const remove = () => {
    process.off('exit', remove);
    // Some of the browser's processes may still be writing when the main one has exited.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return {
    folder,
    remove,
    removeAtExit() {
      // Listeners run in the order of registration, and the one that kills the browser must run first.
      process.off('exit', remove);
      process.on('exit', remove);
    },
  };
}
