// Keeps the tests' compiled modules from run to run, because compiling takes seconds. Vitest's key for a module is its
// content, its path, Vitest's version and the lock file. The compiler's options are added here.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vitest/config';

/** `npx vitest --clearCache` removes it, and so does `npm ci`. */
export const moduleCache = { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' };

const root = resolve(import.meta.dirname, '../..');
const settings = [
  'tsconfig.json',
  'src/tsconfig.pages.json',
  'src/tsconfig.worker.json',
  'tests/tsconfig.json',
];

/** Compiles all modules again after a change of the compiler's options. */
export function keyedBySettings(): Plugin {
  return {
    name: 'keyed-by-settings',
    configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
      const texts = settings.map((file) => readFileSync(resolve(root, file), 'utf8')).join('\n');
      defineKey(() => texts);
    },
  };
}
