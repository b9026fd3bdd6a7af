// The profiles that the doctor knows.

import type { KnownProviders } from './known-provider.ts';

/** Loads the profiles, by name. */
export function loadKnownProviders(): KnownProviders {
  return {};
}
