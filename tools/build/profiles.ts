// The profiles of src/providers. Each file of that folder is a profile, apart from the one that describes their form.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Profiles } from '../../src/config/profiles.ts';
import type { Profile } from '../../src/providers/profile.ts';
import { ending, FileError, latchkey } from './read-text.ts';

const formFile = `profile${ending}`;

/** A profile and its name. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** The profiles of this checkout. */
export const profiles = profilesIn(resolve(latchkey, 'src/providers'));

/** Loads all profiles of this checkout, sorted by name. Throws as {@link profilesIn} does. */
export function loadProfiles(): readonly NamedProfile[] {
  return profiles.names().flatMap((name) => {
    const profile = profiles.find(name);
    return profile === null ? [] : [{ name, profile }];
  });
}

/**
 * The profiles of a folder. A file is loaded when its profile is asked for. `find` throws a `FileError` if the file has no
 * profile; the compiler checks the members of one. If the file itself throws, so does `find`.
 */
export function profilesIn(folder: string): Profiles {
  const names = () =>
    readdirSync(folder)
      .filter((file) => file.endsWith(ending) && file !== formFile)
      .map((file) => file.slice(0, -ending.length))
      .toSorted();
  return { names, find: (name) => (names().includes(name) ? loadProfile(folder, name) : null) };
}

function loadProfile(folder: string, name: string): Profile {
  const { default: profile } = loadModule(resolve(folder, `${name}${ending}`));
  if (isProfile(profile)) return profile;
  const expected = 'expected one as the default export, as src/providers/profile.ts describes it';
  throw new FileError([`src/providers/${name}${ending}: found no profile; ${expected}`]);
}

function isProfile(value: unknown): value is Profile {
  if (typeof value !== 'object' || value === null || !('use' in value)) return false;
  return value.use === 'preset' || value.use === 'refused';
}

/**
 * Loads a module, synchronously because the configuration is read where nothing can be awaited. In a checkout nothing compiles
 * TypeScript yet, so tsx does it. Most commands need no profile, so they don't load tsx.
 */
function loadModule(file: string): { readonly default?: unknown } {
  const require = createRequire(import.meta.url);
  if (ending === '.js') return require(file) as { readonly default?: unknown };
  const tsx = require('tsx/cjs/api') as typeof import('tsx/cjs/api');
  return tsx.require(file, import.meta.url) as { readonly default?: unknown };
}
