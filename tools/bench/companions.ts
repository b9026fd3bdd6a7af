// Small extensions that are measured beside ours: the limits (a static page, one line in React, an empty worker), and the
// peers. Each is built into a folder and installed in the same Chromium.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import react from '@vitejs/plugin-react';
import { runBuild } from '../build.ts';
import { createPublicKey } from '../redirect-uris.ts';
import type { Scene } from './scene.ts';

const run = promisify(execFile);

export interface Companion {
  readonly name: string;
  /** The folder with popup.html. */
  readonly sourceDir: string;
  /** The script of the worker. */
  readonly background: string;
  /** The page that fills the extension's own storage with a session; null if the library can have none without its service. */
  readonly seedPage: 'seed.html' | null;
  /** The public key that determines the extension's id. */
  readonly key: string;
}

/** Answers a message, and does nothing else. */
const emptyWorker = resolve(import.meta.dirname, 'companions/background.ts');

const toLimit = (name: string): Companion => ({
  name,
  sourceDir: resolve(import.meta.dirname, 'companions', name),
  background: emptyWorker,
  seedPage: null,
  key: createPublicKey(),
});

export const staticPage = toLimit('static');
export const reactPage = toLimit('react');
export const limits: readonly Companion[] = [staticPage, reactPage];

export interface Peer extends Companion {
  /** A library that needs a window runs in the popup, and its worker is empty. */
  readonly runsIn: 'worker' | 'popup';
}

/** The peers' folders, the packages that they show, and where those run. */
const packages: readonly (readonly [folder: string, name: string, runsIn: Peer['runsIn']])[] = [
  ['oidc-client-ts', 'oidc-client-ts', 'popup'],
  ['msal', '@azure/msal-browser', 'popup'],
  ['auth0', '@auth0/auth0-spa-js', 'popup'],
  ['logto', '@logto/chrome-extension', 'worker'],
  ['firebase', 'firebase/auth/web-extension', 'popup'],
  ['supabase', '@supabase/supabase-js', 'popup'],
  ['openid-client', 'openid-client', 'worker'],
];

const sources = resolve(import.meta.dirname, 'peers');
/** Outside the sources: tools that search for tests and modules do not look here. */
const installed = resolve(import.meta.dirname, '../../node_modules/.cache/bench-peers');

/** Installs the peers' packages if their lock file has changed, and returns the peers, ready to be built. */
export async function preparePeers(): Promise<readonly Peer[]> {
  const lock = await readFile(join(sources, 'package-lock.json'), 'utf8');
  const stamp = join(installed, 'installed-lock.json');
  const isInstalled = (await readFile(stamp, 'utf8').catch(() => '')) === lock;
  if (!isInstalled) await rm(installed, { recursive: true, force: true });
  await cp(sources, installed, { recursive: true });
  if (!isInstalled) {
    await run('npm', ['ci', '--ignore-scripts'], { cwd: installed, maxBuffer: 16 * 1024 * 1024 });
    await writeFile(stamp, lock);
  }
  return Promise.all(
    packages.map(async ([folder, name, runsIn]) => {
      const sourceDir = join(installed, folder);
      for (const page of ['popup.html', 'seed.html']) await cp(join(installed, page), join(sourceDir, page));
      const background = runsIn === 'worker' ? join(sourceDir, 'background.ts') : emptyWorker;
      const seedPage = existsSync(join(sources, folder, 'seed.ts')) ? 'seed.html' : null;
      return { name, sourceDir, background, seedPage, key: createPublicKey(), runsIn };
    }),
  );
}

/** Builds an extension for Chromium, as production builds are made. Returns its folder, which is in `folder`. */
export async function buildCompanion(companion: Companion, folder: string): Promise<string> {
  const { name, background, key } = companion;
  const outDir = join(folder, name.replaceAll('/', '-'));
  await buildPages(companion, outDir, '/', [background]);
  const manifest = {
    manifest_version: 3,
    name,
    version: '1',
    key,
    action: { default_popup: 'popup.html' },
    background: { service_worker: 'background.js', type: 'module' },
    permissions: ['identity', 'storage'],
    host_permissions: ['http://localhost/*', 'http://127.0.0.1/*'],
  };
  await writeFile(join(outDir, 'manifest.json'), JSON.stringify(manifest));
  return outDir;
}

/** Builds the pages of an extension, which will be at `base`, and further entries. */
export function buildPages(
  { sourceDir, seedPage }: Companion,
  outDir: string,
  base: string,
  entries: readonly string[] = [],
): Promise<void> {
  const pages = ['popup.html', ...(seedPage === null ? [] : [seedPage])];
  return runBuild(
    {
      root: sourceDir,
      base,
      plugins: [react()],
      build: {
        outDir,
        emptyOutDir: true,
        target: 'chrome148',
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: [...pages.map((page) => join(sourceDir, page)), ...entries],
          output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
    'production',
  );
}

/** Builds and installs an extension, and fills its storage with its own session. Returns its id. */
export async function installCompanion(
  { browser: { browser }, folder }: Scene,
  companion: Companion,
): Promise<string> {
  const { name, seedPage } = companion;
  const id = await browser.installExtension(await buildCompanion(companion, folder));
  if (seedPage === null) return id;
  const page = await browser.newPage();
  await page.goto(`chrome-extension://${id}/${seedPage}`);
  await page
    .waitForFunction(() => document.title === 'seeded', { timeout: 10_000 })
    .catch(async (error: unknown) => {
      throw new Error(`${name} stored no session: ${await page.title()}`, { cause: error });
    });
  await page.goto(`chrome-extension://${id}/popup.html`);
  const line = await page.waitForFunction(() => document.querySelector('#line')?.textContent);
  if ((await line.jsonValue()) === 'Signed out') throw new Error(`${name} does not find its session.`);
  await page.close();
  return id;
}
