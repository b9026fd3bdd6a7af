// Lists the languages of the extension.

import { readdirSync } from 'node:fs';

/** The names of the folders in the folder `_locales`, sorted. A file that a file manager left is none. */
export function listLanguages(locales: string): readonly string[] {
  return readdirSync(locales, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
