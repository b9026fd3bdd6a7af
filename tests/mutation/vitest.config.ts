// The tests that judge a mutant: fast ones, of the three pure rooms.

import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['tests/{session,config,oidc}/**/*.test.ts'],
    // A real provider, and files that are compared with this very source.
    exclude: ['tests/oidc/demo-provider.test.ts', 'tests/config/schema.test.ts'],
    env: { LATCHKEY_PROPERTY_RUNS: '20' },
  },
});
