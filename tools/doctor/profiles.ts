// The profiles that the doctor knows.

import { loadProfiles } from '../build/profiles.ts';
import type { KnownProviders } from './known-provider.ts';

/** Loads the profiles of this checkout, by name. Throws as {@link loadProfiles} does. */
export function loadKnownProviders(): KnownProviders {
  return Object.fromEntries(loadProfiles().map(({ name, profile }) => [name, profile]));
}
