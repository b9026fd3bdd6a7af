// A configuration that is valid, what one change makes of it, and what the reader says to that.

import { ConfigError, readConfig } from '../../src/config/config.ts';

export const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'abc' };

export const withAcme = (change: object) => ({ providers: [{ ...acme, ...change }] });

/** A row of a table: what is wrong, the configuration, and the lines that the reader answers with. */
export type Refusal = [what: string, json: unknown, ...lines: string[]];

export function problemsOf(json: unknown): readonly string[] {
  try {
    readConfig(json);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('The configuration was accepted.');
}
