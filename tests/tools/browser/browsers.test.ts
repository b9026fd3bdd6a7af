import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { findBrowser, oldestVersion, findVersion } from '../../../tools/browser/browsers.ts';
import { makeFolder } from '../../support/folder.ts';

const runs = '#!/bin/sh\nexit 0\n';

/** The only folder in PATH. */
let folder: string;

beforeEach(() => {
  folder = makeFolder();
  lines = [];
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CHROME_PATH', undefined);
  vi.stubEnv('FIREFOX_PATH', undefined);
  vi.stubEnv('PUPPETEER_CACHE_DIR', join(folder, 'downloads'));
});

async function addProgram(name: string, script: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, script, { mode });
  return path;
}

const prints = (version: string) => `#!/bin/sh\necho "${version}"\n`;

/** The lines that a search has logged. */
let lines: string[];
const find = (name: 'chrome' | 'firefox') => findBrowser(name, { log: (line) => void lines.push(line) });

describe('on Linux', () => {
  beforeEach(({ skip }) =>
    skip(process.platform !== 'linux', 'The programs of these tests are scripts for Linux.'),
  );

  test.each([
    ['Chromium 156.0.7204.92 built on Debian GNU/Linux 13 (trixie)', 156],
    ['Mozilla Firefox 153.1.0esr', 153],
    ['Mozilla Firefox 160.0a1', 160],
    ['an own build of Chromium', Infinity],
  ])('findVersion reads %j as %j', async (printed, version) => {
    expect(await findVersion(await addProgram('browser', prints(printed)))).toBe(version);
  });

  test('findBrowser prefers the browser that the environment names', async () => {
    await addProgram('firefox', runs);
    const chosen = await addProgram('my-own-browser', runs);
    vi.stubEnv('FIREFOX_PATH', chosen);
    expect(await find('firefox')).toBe(chosen);
  });

  test.each([
    ['a missing file', null],
    ['a file that is not executable', 0o644],
  ])('findBrowser rejects %s in the environment, even if another browser is installed', async (_, mode) => {
    await addProgram('chromium', runs);
    const chosen = join(folder, 'my-own-browser');
    if (mode !== null) await addProgram('my-own-browser', runs, mode);
    vi.stubEnv('CHROME_PATH', chosen);
    const search = find('chrome');
    await expect(search).rejects.toThrow(`CHROME_PATH is set to ${chosen}`);
  });

  test.each([
    ['a snap', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n'],
    ['a launcher without its browser', '#!/bin/sh\nexit 1\n'],
  ])('findBrowser skips %s', async (_, script) => {
    await addProgram('chromium', script);
    const edge = await addProgram('microsoft-edge', runs);
    expect(await find('chrome')).toBe(edge);
  });

  test('findBrowser skips a browser that is too old for the extension, and says so', async () => {
    const old = await addProgram('chromium', prints('Chromium 100.0.4896.127 built on Debian 11'));
    const edge = await addProgram('microsoft-edge', prints('Microsoft Edge 900.0.1.2'));
    expect(await find('chrome')).toBe(edge);
    expect(lines).toEqual([
      `Skipping ${old}: it is version 100, and the extension needs ${oldestVersion('chrome')} or later.`,
    ]);
  });

  test('findBrowser rejects a browser in the environment that is too old, with both versions', async () => {
    const old = await addProgram('my-own-browser', prints('Mozilla Firefox 115.20.0esr'));
    vi.stubEnv('FIREFOX_PATH', old);
    await expect(find('firefox')).rejects.toThrow(
      `FIREFOX_PATH is set to ${old}, which is version 115, and the extension needs ${oldestVersion('firefox')} or later`,
    );
  });

  test.for([
    ['installs a missing browser from its package, as root on Debian', 0],
    ['finds a browser that another process installed while the installation failed', 1],
  ])('findBrowser %s', async ([, code], { skip }) => {
    skip(!existsSync('/usr/bin/apt-get'), 'Only Debian and what comes from it have apt-get.');
    vi.spyOn(process, 'getuid').mockReturnValue(0);
    // Replaces the flock that runs apt-get. $1 is the lock; the last argument is the package.
    await addProgram(
      'flock',
      `#!/bin/sh\nfor package; do :; done\n/bin/cp "$0.browser" "${folder}/$package"\nexit ${code}\n`,
    );
    await addProgram('flock.browser', runs);
    expect(await find('firefox')).toBe(join(folder, 'firefox-esr'));
    expect(lines).toEqual(['Installing firefox-esr with apt-get, because no Firefox was found …']);
  });
});
