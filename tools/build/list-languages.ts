// Lists the languages of the extension.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The names of the folders in the folder `_locales`, sorted. A link to a folder counts, and a file that a file manager left
 * does not.
 */
export function listLanguages(locales: string): readonly string[] {
  return readdirSync(locales)
    .filter((name) => statSync(join(locales, name), { throwIfNoEntry: false })?.isDirectory())
    .toSorted();
}
