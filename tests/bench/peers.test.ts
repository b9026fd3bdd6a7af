import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { packages } from './peers.ts';

const folder = resolve(import.meta.dirname, 'peers');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

test('the peers are installed from the configured registry: their lock file has no download addresses', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved"|"https?:\/\/[^"]*\.tgz"/);
  expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
});

test('every peer has a fixed version, a popup, a worker and a session of its own', () => {
  const { dependencies } = JSON.parse(read('package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const [name, imported] of Object.entries(packages)) {
    const found = Object.entries(dependencies).find(([dependency]) => imported.startsWith(dependency));
    expect(found?.[1]).toMatch(/^\d+\.\d+\.\d+$/);
    for (const file of ['popup.ts', 'background.ts', 'seed.ts']) {
      expect(existsSync(join(folder, name, file))).toBe(true);
    }
  }
});
