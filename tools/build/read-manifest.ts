// Reads manifest.json, and the version from package.json.

import { resolve } from 'node:path';
import { findManifestMistakes } from '../../src/config/check-manifest.ts';
import { formatPath } from '../../src/config/config-error.ts';
import type { Manifest, SourceManifest } from '../../src/config/manifest.ts';
import { FileError, parseJson } from './parse-json.ts';
import { readText } from './read-text.ts';

const project = resolve(import.meta.dirname, '../..');
const fileName = 'manifest.json';

/** Reads manifest.json of the project at `root`. Throws a `FileError` that names the place of each mistake. */
export function readManifest(root = project): SourceManifest {
  return parseManifest(readText(resolve(root, fileName), fileName));
}

/** Reads manifest.json, as {@link readManifest} does, and adds the version of package.json. */
export function readVersionedManifest(): Manifest {
  return { ...readManifest(), version: readPackage().version };
}

/**
 * Reads the packages' name and the version from package.json. Throws a `FileError` for a version that browsers do not
 * accept.
 */
export function readPackage(): { readonly name: string; readonly version: string } {
  return parsePackage(readText(resolve(project, 'package.json'), 'package.json'));
}

/** Parses the text of package.json, as {@link readPackage} does. */
export function parsePackage(text: string): { readonly name: string; readonly version: string } {
  const { value, placeOf } = parseJson(text, 'package.json');
  const { name, version } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') {
    throw new FileError([`${placeOf(['name'])}: name: expected a name for the packages' files`]);
  }
  if (typeof version === 'string' && isBrowserVersion(version)) return { name, version };
  throw new FileError([
    `${placeOf(['version'])}: version: found ${JSON.stringify(version)}; ` +
      'expected one to four numbers up to 65535, such as "1.0.0", because browsers accept no others',
  ]);
}

/** Whether Chrome and Firefox accept the version in a manifest: Chrome sets the greatest number. */
function isBrowserVersion(version: string): boolean {
  return (
    /^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){0,3}$/.test(version) &&
    version.split('.').every((part) => Number(part) <= 65_535)
  );
}

/** Parses the text of manifest.json, as {@link readManifest} does. */
export function parseManifest(text: string): SourceManifest {
  const { value, placeOf } = parseJson(text, fileName);
  const mistakes = findManifestMistakes(value);
  if (mistakes.length === 0) return value as SourceManifest;
  throw new FileError(
    mistakes.map(({ path, text: problem }) =>
      [placeOf(path), formatPath(path), problem].filter((part) => part !== '').join(': '),
    ),
  );
}
