// Reads manifest.json.

import { resolve } from 'node:path';
import { findManifestMistakes } from '../../src/config/check-manifest.ts';
import { formatPath } from '../../src/config/config-error.ts';
import type { Manifest } from '../../src/config/manifest.ts';
import { FileError, parseJson } from './parse-json.ts';
import { readText } from './read-text.ts';

const project = resolve(import.meta.dirname, '../..');
const fileName = 'manifest.json';

/** Reads manifest.json of the project at `root`. Throws a `FileError` that names the place of each mistake. */
export function readManifest(root = project): Manifest {
  return parseManifest(readText(resolve(root, fileName), fileName));
}

/** Parses the text of manifest.json, as {@link readManifest} does. */
export function parseManifest(text: string): Manifest {
  const { value, placeOf } = parseJson(text, fileName);
  const mistakes = findManifestMistakes(value);
  if (mistakes.length === 0) return value as Manifest;
  throw new FileError(
    mistakes.map(({ path, text: problem }) =>
      [placeOf(path), formatPath(path), problem].filter((part) => part !== '').join(': '),
    ),
  );
}
