// A valid provider, variations of it, and the problems that the reader reports.

import { toLines } from '../../src/config/config-error.ts';
import { readConfig as readWithProfiles, type Config } from '../../src/config/config.ts';
import type { Profiles } from '../../src/config/profiles.ts';

export const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'abc' };

export const withAcme = (change: object) => ({ providers: [{ ...acme, ...change }] });

const noProfiles: Profiles = { names: () => [], find: () => null };

/** Reads a configuration, by default one whose providers have no profile. Throws an Error with a line for each mistake. */
export function readConfig(json: unknown, profiles = noProfiles): Config {
  const reading = readWithProfiles(json, profiles);
  if (reading.outcome === 'read') return reading.config;
  throw new Error(toLines(reading.mistakes, 'configuration').join('\n'));
}

export function problemsOf(json: unknown, profiles = noProfiles): readonly string[] {
  const reading = readWithProfiles(json, profiles);
  if (reading.outcome === 'refused') return toLines(reading.mistakes, 'configuration');
  throw new Error('Expected the configuration to be rejected, but it was accepted.');
}
