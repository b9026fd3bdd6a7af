// The builds for both browsers: their permissions, their contents, and what they must not contain.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { buildExtension } from '../tools/build.ts';
import { readConfigFile } from '../tools/build/read-config.ts';
import { emptyFeature } from '../tools/build/settings.ts';
import { isLong } from './support/extent.ts';
import { makeFolder } from './support/folder.ts';
import {
  findPopupEntries,
  findWorkerEntries,
  readLoadedScripts,
  toGzippedBytes,
} from './support/loaded-scripts.ts';

const config = {
  providers: [
    {
      id: 'acme',
      name: 'Acme',
      issuer: 'https://id.acme.example/tenant',
      clientId: 'client-of-acme',
      origins: ['https://keys.acme.example'],
      apiOrigins: ['https://api.acme.example:8443'],
    },
  ],
};

const wrong = { providers: [{ ...config.providers[0], issuer: 'http://acme.example' }] };
const folder = makeFolder({ 'config.json': config, 'wrong.json': wrong });

beforeAll(async () => {
  for (const browser of ['chrome', 'firefox'] as const) {
    await buildExtension({
      browser,
      outDir: join(folder, browser),
      config: readConfigFile(join(folder, 'config.json')),
      featureDir: emptyFeature,
    });
  }
}, 60_000);

/** The manifest from which both are derived. A permission or a page is added to it on purpose. */
const source = JSON.parse(readFileSync('manifest.json', 'utf8')) as Readonly<Record<string, unknown>>;

/** The text of a file of a build. */
const readBuilt = (browser: string, file: string) => readFile(join(folder, browser, file), 'utf8');

/** The files of a build. */
async function list(browser: string): Promise<readonly string[]> {
  const files = await readdir(join(folder, browser), { recursive: true });
  return files.map((file) => file.replaceAll('\\', '/'));
}

const readManifest = async (browser: string) =>
  JSON.parse(await readBuilt(browser, 'manifest.json')) as Record<string, unknown>;

const findPages = async (browser: string) => (await list(browser)).filter((file) => file.endsWith('.html'));

async function readScripts(browser: string): Promise<string> {
  const scripts = (await list(browser)).filter((file) => file.endsWith('.js'));
  return (await Promise.all(scripts.map((file) => readBuilt(browser, file)))).join('\n');
}

const root = resolve(import.meta.dirname, '..');

/** The build moves what the popup shares with another page into a file for both. */
const shared = 'Another page of this copy of the project shares code with the popup.';
const hasFurtherPage = async (browser: string) => (await findPages(browser)).length > 1;

/** The most bytes of compressed JavaScript that a part may load before it runs: those of today and a little more. */
const budgets = { worker: 66_060, popup: 79_680 };

describe.each([
  ['chrome', ['https://api.acme.example:8443/*', 'https://id.acme.example/*', 'https://keys.acme.example/*']],
  ['firefox', ['https://api.acme.example/*', 'https://id.acme.example/*', 'https://keys.acme.example/*']],
])('the build for %s', (browser, hostPermissions) => {
  test('asks for exactly what the configuration needs', async () => {
    const manifest = await readManifest(browser);
    for (const permission of manifest['permissions'] as string[]) {
      expect(source['permissions']).toContain(permission);
    }
    expect(manifest['host_permissions']).toEqual(hostPermissions);
    expect(manifest['content_security_policy']).toEqual({
      extension_pages: expect.stringContaining(
        'connect-src https://api.acme.example:8443 https://id.acme.example https://keys.acme.example;',
      ),
    });
  });

  test.each([
    'optional_permissions',
    'optional_host_permissions',
    'web_accessible_resources',
    'content_scripts',
    'externally_connectable',
  ])('has no %s that manifest.json does not ask for', async (key) => {
    // The build makes a content script's modules accessible to the pages in which it runs.
    const isAsked = [key, ...(key === 'web_accessible_resources' ? ['content_scripts'] : [])].some(
      (asked) => asked in source,
    );
    if (!isAsked) expect(await readManifest(browser)).not.toHaveProperty(key);
  });

  test('holds the provider, and neither the demo nor what prints the journal', async () => {
    const scripts = await readScripts(browser);
    expect(scripts).toContain('client-of-acme');
    expect(scripts).not.toContain('latchkey-demo');
    expect(scripts).not.toContain('Latchkey journal');
  });

  test.each(['src/parts/id-token.ts', 'src/parts/loopback.ts'])(
    'does not contain %s, which no provider of it needs',
    async (file) => {
      const code = await readFile(join(root, file), 'utf8');
      const texts = [...code.matchAll(/['`]([^'`$\n]{30,})['`]/g)].map(([, text = '']) => text);
      expect(texts).not.toEqual([]);
      const scripts = await readScripts(browser);
      expect(texts.filter((text) => scripts.includes(text))).toEqual([]);
    },
  );

  test('holds nothing of a sign-in with a code, of a user API and of rules for a policy, which its configuration does not use', async () => {
    const scripts = await readScripts(browser);
    expect(scripts).not.toMatch(/grant-type:device_code|verification_uri|open-provider-page|user API: HTTP/);
    expect(scripts).not.toMatch(/refused beside "userApi"|that "deviceFlow" needs|"id_token" brings no/);
    expect(scripts).not.toContain('x-http-method');
  });

  test('has an empty feature area, with nothing in it for developers', async () => {
    const scripts = await readScripts(browser);
    expect(scripts).not.toContain('Your feature goes here');
    expect(scripts).not.toContain('data-sample');
    // A further page brings packages of its own. The content security policy holds them too.
    const pages = await findPages(browser);
    if (pages.length === 1) expect(scripts).not.toMatch(/\beval\(|new Function\(/);
  });

  test('has the licenses of the packages in it, and of no others', async () => {
    const notices = await readBuilt(browser, 'THIRD-PARTY-NOTICES.txt');
    const names = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \([^)]+\)$/gm)].map(([, name]) => name);
    const bundled = ['idb', 'oauth4webapi', 'react', 'react-dom', 'rolldown', 'scheduler', 'valibot'];
    // A page of the feature may have further packages.
    expect(names).toEqual(expect.arrayContaining(bundled));
    const text = await readFile(join(root, 'package.json'), 'utf8');
    const { devDependencies } = JSON.parse(text) as { readonly devDependencies: object };
    expect(Object.keys(devDependencies).filter((name) => names.includes(name))).toEqual([]);
    if (!(await readScripts(browser)).includes('webextension-polyfill')) {
      expect(names).not.toContain('webextension-polyfill');
    }
    for (const holder of ['Jake Archibald', 'Filip Skokan', 'Meta Platforms', 'Fabian Hiller', 'VoidZero']) {
      expect(notices).toContain(holder);
    }
    expect(notices).not.toContain('\r');
  });

  test('has a popup, and no gallery of its faces', async () => {
    const files = await list(browser);
    expect(files).toContain('src/popup/index.html');
    expect(files.filter((file) => /gallery|user/.test(file) && !file.includes('feature'))).toEqual([]);
    expect(await readScripts(browser)).not.toContain('There is no face');
  });

  test('loads the feature apart from the popup, which does not wait for it', async () => {
    expect(await list(browser)).toContainEqual(expect.stringMatching(/^assets\/Feature-.*\.js$/));
    expect(await readBuilt(browser, 'src/popup/index.html')).not.toContain('Feature-');
  });

  test('paints its popup from one small script, which React follows', async ({ skip }) => {
    skip(await hasFurtherPage(browser), shared);
    const page = await readBuilt(browser, 'src/popup/index.html');
    const scripts = [...page.matchAll(/<script ([^>]*)src="\/([^"]+)">/g)];
    expect(scripts.map(([, attributes]) => attributes)).toEqual([
      'async blocking="render" type="module" crossorigin ',
    ]);
    expect(page).not.toContain('modulepreload');
    const [firstPath = '', reactPath = ''] = await findPopupEntries(join(folder, browser));
    const first = await readBuilt(browser, firstPath);
    expect(first).toContain('.get(');
    expect(first).not.toContain('__reactFiber$');
    expect(first).not.toMatch(/\bfrom\s*["'`]/);
    expect(first.length).toBeLessThan(16_000);
    const react = await readBuilt(browser, reactPath);
    expect(react).toContain('__reactFiber$');
    const importsOf = (script: string) =>
      [...script.matchAll(/(?:\bfrom|^import)\s*["'`]\.\/([\w.-]+)["'`]/gm)].map(([, path]) => path);
    // The same modules, so that the board is read once.
    expect(importsOf(react)).toEqual([firstPath.replace('assets/', '')]);
  });

  test('has the styles of its popup in the page, and a policy that allows no others', async ({ skip }) => {
    skip(await hasFurtherPage(browser), shared);
    const page = await readBuilt(browser, 'src/popup/index.html');
    const [, styles = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    expect(styles).toContain('--brand:');
    expect(page).not.toContain('stylesheet');
    const hash = createHash('sha256').update(styles).digest('base64');
    expect((await readManifest(browser))['content_security_policy']).toEqual({
      extension_pages: expect.stringContaining(`; style-src 'self' 'sha256-${hash}'; `),
    });
    expect((await list(browser)).filter((file) => file.endsWith('.css'))).toEqual([]);
  });

  test('starts its worker without a page, and without a polyfill that would do nothing', async () => {
    const { background } = await readManifest(browser);
    expect(background).toEqual(
      browser === 'chrome' ? { service_worker: 'worker.js' } : { scripts: ['worker.js'] },
    );
    expect(await readScripts(browser)).not.toContain('webextension-polyfill');
  });

  test('has a worker in one ordinary script, because Chromium does not keep the compiled code of a module', async () => {
    const code = await readBuilt(browser, 'worker.js');
    // Throws for a module.
    expect(new Script(code)).toBeDefined();
    // A module is strict, and a script only if it says so.
    expect(code).toMatch(/^\(\(\)=>\{"use strict";/);
    expect(await list(browser)).not.toContain('service-worker-loader.js');
  });

  test('has scripts in ASCII, which take one byte for each character in memory', async () => {
    expect((await readScripts(browser)).match(/\P{ASCII}/gu)).toBeNull();
  });

  test.for(Object.entries(budgets))(
    'loads no more JavaScript in its %s than the budget',
    async ([part, budget], { skip }) => {
      skip(part === 'popup' && (await hasFurtherPage(browser)), shared);
      const findEntries = part === 'worker' ? findWorkerEntries : findPopupEntries;
      const built = join(folder, browser);
      const bytes = toGzippedBytes(await readLoadedScripts(built, await findEntries(built)));
      expect(
        bytes,
        `The ${part} loads ${bytes} bytes of compressed JavaScript. To see which module has how many: node --import tsx tools/bench/bundle.ts. Take out what it can do without, or raise its budget in tests/build.test.ts and say in the commit why.`,
      ).toBeLessThanOrEqual(budget);
    },
  );

  test('has every file that its manifest names', async () => {
    const manifest = await readManifest(browser);
    const named = [...JSON.stringify(manifest).matchAll(/"((?:src|icons|assets)\/[^"]+|[\w-]+\.js)"/g)];
    expect(named.length).toBeGreaterThan(5);
    expect(await list(browser)).toEqual(expect.arrayContaining(named.map(([, file]) => file)));
  });
});

// The linter takes seconds to load.
test.runIf(isLong)(
  'the linter of addons.mozilla.org finds nothing in the Firefox build but two lines of react-dom',
  async () => {
    const cli = join(root, 'node_modules/web-ext/bin/web-ext.js');
    const settings = ['--no-config-discovery', '--output=json', `--source-dir=${join(folder, 'firefox')}`];
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'lint', ...settings]);
    const { errors, notices, warnings } = JSON.parse(stdout) as Record<string, { readonly code: string }[]>;
    expect({ errors, notices, warnings: warnings?.map(({ code }) => code) }).toEqual({
      errors: [],
      notices: [],
      warnings: ['UNSAFE_VAR_ASSIGNMENT', 'UNSAFE_VAR_ASSIGNMENT'],
    });
  },
);

test('the form of a policy is in the build of the browser that asks for it', async () => {
  const { storage } = await readManifest('chrome');
  const { managed_schema: file } = storage as { readonly managed_schema: string };
  expect(JSON.parse(await readBuilt('chrome', file))).toMatchObject({ type: 'object' });
  expect(await readManifest('firefox')).not.toHaveProperty('storage');
});

test('a configuration that cannot be used is refused before anything is built', async () => {
  vi.stubEnv('LATCHKEY_CONFIG', join(folder, 'wrong.json'));
  const building = buildExtension({ browser: 'chrome', outDir: join(folder, 'never') });
  await expect(building).rejects.toThrow(/wrong\.json:1:\d+: providers\[0\]\.issuer/);
  await expect(readdir(join(folder, 'never'))).rejects.toThrow('ENOENT');
});
