// A browser profile in a temporary folder, gone when the browser is: also when this process ends early.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Profile {
  readonly folder: string;
  /** Removes a temporary folder; leaves one that was given. */
  remove(): void;
}

export function openProfile(given: string | undefined): Profile {
  if (given !== undefined) return { folder: given, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-profile-'));
  const remove = () => {
    process.off('exit', remove);
    // A browser's last process may still be writing when the first has ended.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  process.on('exit', remove);
  return { folder, remove };
}
