import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { extension } from '../../tools/build/settings.ts';
import { readShown } from '../../tools/screenshots.ts';

afterEach(() => void vi.unstubAllEnvs());

test('the pictures show the demo provider and an empty feature, whatever the project has of its own', () => {
  vi.stubEnv('LATCHKEY_CONFIG', 'no-such-file.json');
  const { config, demo, featureDir } = readShown();
  expect(config.providers).toEqual([demo]);
  expect(demo.clientId).toBe('latchkey-demo');
  expect(extension({ browser: 'chrome', config, featureDir }).resolve?.alias).toEqual([
    { find: expect.any(RegExp), replacement: join(resolve('tools/build/empty-feature'), '/') },
  ]);
});
