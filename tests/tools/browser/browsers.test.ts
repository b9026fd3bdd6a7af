import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BrowserMissingError, findBrowser, hasDisplay } from '../../../tools/browser/browsers.ts';

const runs = '#!/bin/sh\nexit 0\n';
const isLinux = process.platform === 'linux';
const mayInstall = isLinux && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** The only folder in PATH. */
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-test-'));
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CHROME_PATH', undefined);
  vi.stubEnv('FIREFOX_PATH', undefined);
  vi.stubEnv('PUPPETEER_CACHE_DIR', join(folder, 'downloads'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function addProgram(name: string, script: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, script, { mode });
  return path;
}

const log = () => {};

test.skipIf(!isLinux)('findBrowser prefers the browser that the environment names', async () => {
  await addProgram('firefox', runs);
  const chosen = await addProgram('my-own-browser', runs);
  vi.stubEnv('FIREFOX_PATH', chosen);
  expect(await findBrowser('firefox', { log })).toBe(chosen);
});

test.skipIf(!isLinux).each([
  ['a missing file', null],
  ['a file that is not executable', 0o644],
])('findBrowser rejects %s in the environment, even if another browser is installed', async (_, mode) => {
  await addProgram('chromium', runs);
  const chosen = join(folder, 'my-own-browser');
  if (mode !== null) await addProgram('my-own-browser', runs, mode);
  vi.stubEnv('CHROME_PATH', chosen);
  const search = findBrowser('chrome', { log });
  await expect(search).rejects.toThrow(BrowserMissingError);
  await expect(search).rejects.toThrow(`CHROME_PATH is set to ${chosen}`);
});

test.skipIf(!isLinux).each([
  ['a snap', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n'],
  ['a launcher without its browser', '#!/bin/sh\nexit 1\n'],
])('findBrowser skips %s', async (_, script) => {
  await addProgram('chromium', script);
  const edge = await addProgram('microsoft-edge', runs);
  expect(await findBrowser('chrome', { log })).toBe(edge);
});

test.skipIf(!mayInstall)(
  'findBrowser installs a missing browser from its package, as root on Debian',
  async () => {
    // Replaces the flock that runs apt-get. $1 is the lock; the last argument is the package.
    await addProgram(
      'flock',
      `#!/bin/sh\nfor package; do :; done\n/bin/cp "$0.browser" "${folder}/$package"\n`,
    );
    await addProgram('flock.browser', runs);
    const lines: string[] = [];
    expect(await findBrowser('firefox', { log: (line) => lines.push(line) })).toBe(
      join(folder, 'firefox-esr'),
    );
    expect(lines).toEqual(['Installing firefox-esr with apt-get, because no Firefox was found …']);
  },
);

test.skipIf(!isLinux).each([
  ['DISPLAY', ':0'],
  ['WAYLAND_DISPLAY', 'wayland-0'],
])('hasDisplay is true if %s is set, and false otherwise', (variable, value) => {
  vi.stubEnv('DISPLAY', undefined);
  vi.stubEnv('WAYLAND_DISPLAY', undefined);
  expect(hasDisplay()).toBe(false);
  vi.stubEnv(variable, value);
  expect(hasDisplay()).toBe(true);
});
