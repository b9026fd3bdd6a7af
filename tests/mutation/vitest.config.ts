// The unit tests that run against each change of a folder: those of the folder, without what takes long, and with as few random
// inputs as the inner loop takes.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { unitTests } from '../support/projects.ts';

const folder = process.env['LATCHKEY_MUTATED'] ?? '*';
/** Folders that are partly tested through those that use them. */
const testedBy: Readonly<Record<string, string>> = {
  parts: '{parts,background}',
  session: '{session,bridge,popup,background/record}',
};
const tested = testedBy[folder] ?? folder;
const { plugins, test } = unitTests('test', { LATCHKEY_SEED: '1', LATCHKEY_TEST: 'inner' });

/**
 * Makes each schema anew for each test. Otherwise a change of one would count for the first test alone, which needn't be the one
 * that notices it.
 */
const makeAnew: Plugin = {
  name: 'make-anew',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/src/concurrency.ts')) return undefined;
    const changed = code.replace('(value ??= make())', 'make()');
    if (changed === code) throw new Error('src/concurrency.ts: found no `value ??= make()` in `once`.');
    return changed;
  },
};

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  plugins: [plugins ?? [], folder === 'config' ? makeAnew : []],
  test: {
    ...test,
    include: [`tests/{,tools/}${tested}/**/*.test.{ts,tsx}`],
    exclude: [
      'tests/background/{interleavings,kept,scenes}.test.ts',
      'tests/background/feature/nothing-left.test.ts',
      // Compares files with the source.
      'tests/config/schema.test.ts',
      'tests/{oidc/demo-provider,tools/relay/sign-in}.test.ts',
    ],
  },
});
