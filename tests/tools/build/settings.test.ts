import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import settingsOf from '../../../vite.config.ts';
import { extension } from '../../../tools/build/settings.ts';

const root = resolve(import.meta.dirname, '../../..');

test('a served build for Chromium gives the bundler no option that the other bundler of CRXJS would name as unknown', () => {
  const options = (live?: 'served') => extension({ browser: 'chrome', live }).build?.rolldownOptions;
  expect(options('served')).not.toHaveProperty('checks');
  expect(options()).toHaveProperty('checks');
});

test.each([
  ['vite', 'serve', 'development', 'dist/development/chrome'],
  ['vite build', 'build', 'production', 'dist/chrome'],
] as const)('`npx %s` writes to the folder of that kind of build', async (_title, command, mode, folder) => {
  expect((await settingsOf({ command, mode })).build?.outDir).toBe(resolve(root, folder));
});

test('the gallery is in no production build', async () => {
  const { build } = await settingsOf({ command: 'build', mode: 'production' });
  expect(build?.rolldownOptions?.input).toBeUndefined();
});
