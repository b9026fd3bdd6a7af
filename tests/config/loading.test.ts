// Each module of the three pure folders loads without another being loaded first, which an import cycle would
// prevent.

import { beforeEach, expect, test, vi } from 'vitest';

const modules = import.meta.glob(['../../src/{session,config,oidc}/*.ts', '!**/*.d.ts']);

beforeEach(() => void vi.resetModules());

test.each(Object.entries(modules))('%s can be loaded first', async (_path, load) => {
  await expect(load()).resolves.toBeDefined();
});
