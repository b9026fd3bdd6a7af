// The profiles of src/providers. Each file of that folder is a profile, apart from the one that describes their form.

import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { require as load } from 'tsx/cjs/api';
import type { Profiles } from '../../src/config/profiles.ts';
import type { Profile } from '../../src/providers/profile.ts';

const folder = resolve(import.meta.dirname, '../../src/providers');

/** The form of a profile, not a profile. */
const formFile = 'profile.ts';

/** The profiles of this checkout. A file is loaded when its profile is asked for. */
export const profiles: Profiles = { names: listProfiles, find: findProfile };

/** Returns the names of all profiles, sorted. */
function listProfiles(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== formFile)
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
}

/**
 * Loads one profile; null if there is none with this name. Throws what the file throws. The configuration is read where
 * nothing can be awaited, and before anything compiles TypeScript, so tsx loads the file.
 */
export function findProfile(name: string): Profile | null {
  if (!listProfiles().includes(name)) return null;
  const { default: profile } = load(resolve(folder, `${name}.ts`), import.meta.url) as { default: Profile };
  return profile;
}

/** A profile and its name. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** Loads all profiles, sorted by name. */
export function loadProfiles(): readonly NamedProfile[] {
  return listProfiles().flatMap((name) => {
    const profile = findProfile(name);
    return profile === null ? [] : [{ name, profile }];
  });
}
