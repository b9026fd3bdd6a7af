// The profiles that the doctor knows, by name.

import type { KnownProviders } from './known-provider.ts';

export const knownProviders: KnownProviders = {};
