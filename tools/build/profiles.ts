// The profiles of src/providers. Each file of that folder is a profile, apart from the one that describes their form.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, resolve } from 'node:path';
import type { Profiles } from '../../src/config/profiles.ts';
import type { Profile } from '../../src/providers/profile.ts';
import { FileError } from './parse-json.ts';

/** TypeScript in a checkout; JavaScript in the package of `npm run library`, like this file. */
const ending = extname(import.meta.filename);
const folder = resolve(import.meta.dirname, '../../src/providers');

/** A profile and its name. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/**
 * The profiles of this checkout. A file is loaded when its profile is asked for. `find` throws a `FileError` if the file has no
 * profile, and what the file throws.
 */
export const profiles: Profiles = {
  names: () =>
    readdirSync(folder)
      .filter((file) => file.endsWith(ending) && file !== `profile${ending}`)
      .map((file) => file.slice(0, -ending.length))
      .toSorted(),
  find: (name) => (profiles.names().includes(name) ? loadProfile(name) : null),
};

/** Loads all profiles of this checkout, sorted by name. Throws as `find` does. */
export function loadProfiles(): readonly NamedProfile[] {
  return profiles.names().map((name) => ({ name, profile: loadProfile(name) }));
}

function loadProfile(name: string): Profile {
  const profile = loadModule(resolve(folder, `${name}${ending}`)).default;
  // The compiler checks the rest.
  if (profile?.use === 'preset' || profile?.use === 'refused') return profile;
  throw new FileError([
    `src/providers/${name}${ending}: found no profile; expected one as the default export, as src/providers/profile.ts describes it`,
  ]);
}

/**
 * Loads a module. The configuration is read where nothing can be awaited, and in a checkout before anything compiles
 * TypeScript, so tsx does. Most commands need no profile, so they do not load tsx.
 */
function loadModule(file: string): { readonly default?: Profile } {
  const require = createRequire(import.meta.url);
  if (ending === '.js') return require(file) as { readonly default?: Profile };
  const tsx = require('tsx/cjs/api') as typeof import('tsx/cjs/api');
  return tsx.require(file, import.meta.url) as { readonly default?: Profile };
}
