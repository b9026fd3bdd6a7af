// A valid provider, variations of it, and the problems that the reader reports.

import { ConfigError } from '../../src/config/config-error.ts';
import { readConfig as readWithProfiles } from '../../src/config/config.ts';
import type { Profiles } from '../../src/config/profiles.ts';

export const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'abc' };

export const withAcme = (change: object) => ({ providers: [{ ...acme, ...change }] });

const noProfiles: Profiles = { names: () => [], find: () => null };

/** Reads a configuration whose providers have no profile. */
export const readConfig = (json: unknown) => readWithProfiles(json, noProfiles);

export function problemsOf(json: unknown, profiles = noProfiles): readonly string[] {
  try {
    readWithProfiles(json, profiles);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('Expected the configuration to be rejected, but it was accepted.');
}
