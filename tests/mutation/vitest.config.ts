// The fast tests that are run against each mutant of the three pure folders.

import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['tests/{session,config,oidc}/**/*.test.ts'],
    // Excludes the test with a real provider and the one that compares files with the source.
    exclude: ['tests/oidc/demo-provider.test.ts', 'tests/config/schema.test.ts'],
  },
});
