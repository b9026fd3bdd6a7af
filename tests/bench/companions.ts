// Small extensions that are measured beside ours: the limits (a static page, one line in React, an empty worker), and the
// peers. Each is built into a folder and installed in the same Chromium. A peer that needs no service of its own signs in there.

import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { promisify } from 'node:util';
import react from '@vitejs/plugin-react';
import { stopWorker } from '../../tools/browser/chromium.ts';
import { runBuild } from '../../tools/build/run-build.ts';
import { requestTo, type Scene } from './scene.ts';

const run = promisify(execFile);

export interface Companion {
  readonly name: string;
  /** The folder with popup.html. */
  readonly sourceDir: string;
  /** The script of the worker. */
  readonly background: string;
  /** The public key that determines the extension's id. */
  readonly key: string;
}

/** Answers a message, and does nothing else. */
const emptyWorker = resolve(import.meta.dirname, 'companions/background.ts');

const toLimit = (name: string): Companion => ({
  name,
  sourceDir: resolve(import.meta.dirname, 'companions', name),
  background: emptyWorker,
  key: createKey(),
});

export const staticPage = toLimit('static');
export const reactPage = toLimit('react');
export const limits: readonly Companion[] = [staticPage, reactPage];

export interface Peer extends Companion {
  /** A library that needs a window runs in the popup, and its worker is empty. */
  readonly runsIn: 'worker' | 'popup';
}

/** The peers that sign in with any OpenID Connect provider. The others need their own service. */
const signing: readonly string[] = ['openid-client', 'oidc-client-ts'];

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
      await cp(join(installed, 'popup.html'), join(sourceDir, 'popup.html'));
      const background = runsIn === 'worker' ? join(sourceDir, 'background.ts') : emptyWorker;
      return { name, sourceDir, background, key: createKey(), runsIn };
    }),
  );
}

/** The peers that sign in with the demo provider. */
export async function prepareSigningPeers(): Promise<readonly Peer[]> {
  return (await preparePeers()).filter(({ name }) => signing.includes(name));
}

function createKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
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
  { sourceDir }: Companion,
  outDir: string,
  base: string,
  entries: readonly string[] = [],
): Promise<void> {
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
          input: [join(sourceDir, 'popup.html'), ...entries],
          output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
    'production',
  );
}

/** Builds and installs an extension, and returns its id. */
export async function installCompanion(
  { browser: { browser }, folder }: Scene,
  companion: Companion,
): Promise<string> {
  return browser.installExtension(await buildCompanion(companion, folder));
}

/** A sign-in: until the provider is asked, from its redirect until the result is painted, and the requests of all of it. */
export interface SignInTimes {
  readonly askedMs: number;
  readonly paintedMs: number;
  readonly requests: number;
}

export interface SigningPeer extends Peer {
  readonly id: string;
  signIn(): Promise<SignInTimes>;
  stopWorker(): Promise<void>;
}

export async function installSigningPeer(scene: Scene, peer: Peer): Promise<SigningPeer> {
  const { browser, demo } = scene;
  const id = await installCompanion(scene, peer);
  return {
    ...peer,
    id,
    async signIn() {
      const page = await browser.browser.newPage();
      await page.goto(`chrome-extension://${id}/popup.html`);
      await pass(300);
      const before = demo.requests.length;
      const times = await page.evaluate(
        async (issuer, clientId) => {
          // Where the library runs in the popup.
          const { signIn } = globalThis as { readonly signIn?: (...to: string[]) => Promise<string> };
          const clickedAtMs = performance.timeOrigin + performance.now();
          const reply = signIn
            ? await signIn(issuer, clientId)
            : ((await chrome.runtime.sendMessage({ type: 'sign-in', issuer, clientId })) as string);
          const line = document.querySelector('#line');
          if (line !== null) line.textContent = reply;
          await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
          return { reply, clickedAtMs, paintedAtMs: performance.timeOrigin + performance.now() };
        },
        demo.issuer,
        demo.clientId,
      );
      if (times.reply !== 'signed in') throw new Error(`${peer.name}: ${times.reply}`);
      const authorization = await requestTo(scene, '/auth', before);
      await page.close();
      return {
        askedMs: authorization.arrivedAtMs - times.clickedAtMs,
        paintedMs: times.paintedAtMs - authorization.answeredAtMs,
        requests: demo.requests.length - before,
      };
    },
    async stopWorker() {
      await stopWorker(browser.browser, `chrome-extension://${id}`);
      await pass(200);
    },
  };
}
