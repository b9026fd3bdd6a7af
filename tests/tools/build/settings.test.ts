import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import settingsOf from '../../../vite.config.ts';

test.each([
  ['vite', 'serve', 'development', 'dist/development/chrome'],
  ['vite build', 'build', 'production', 'dist/chrome'],
] as const)('`npx %s` writes to the folder of that kind of build', async (_title, command, mode, folder) => {
  const root = resolve(import.meta.dirname, '../../..');
  expect((await settingsOf({ command, mode })).build?.outDir).toBe(resolve(root, folder));
});
