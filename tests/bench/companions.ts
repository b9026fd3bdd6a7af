// Small extensions that are measured beside ours: the limits (a static page, one line in React, an empty worker), and the
// peers. Each is built into a folder and installed in the same Chromium.

import { generateKeyPairSync } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import type { Browser } from 'puppeteer-core';
import { runBuild } from '../../tools/build/run-build.ts';

export interface Companion {
  readonly name: string;
  /** The folder with popup.html and background.ts. */
  readonly sourceDir: string;
  /** The page that fills the extension's own storage with a session, if it has one. */
  readonly seedPage: 'seed.html' | null;
  /** The public key that determines the extension's id. */
  readonly key: string;
}

export const limits: readonly Companion[] = (['static', 'react'] as const).map((name) => ({
  name,
  sourceDir: resolve(import.meta.dirname, 'companions', name),
  seedPage: null,
  key: createKey(),
}));

export function createKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Builds an extension for Chromium, as production builds are made. */
export async function buildCompanion(companion: Companion, outDir: string): Promise<void> {
  const { name, sourceDir, seedPage, key } = companion;
  const background =
    seedPage === null
      ? resolve(import.meta.dirname, 'companions/background.ts')
      : join(sourceDir, 'background.ts');
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

interface Installed {
  readonly id: string;
  /** Whether its popup finds the session that it has stored. */
  readonly session: 'found' | 'lost';
}

/** Installs a built extension and fills its storage with its own session. */
export async function installCompanion(
  browser: Browser,
  { name, seedPage }: Companion,
  builtDir: string,
): Promise<Installed> {
  const id = await browser.installExtension(builtDir);
  if (seedPage === null) return { id, session: 'found' };
  const page = await browser.newPage();
  await page.goto(`chrome-extension://${id}/${seedPage}`);
  await page
    .waitForFunction(() => document.title === 'seeded', { timeout: 10_000 })
    .catch(async (error: unknown) => {
      throw new Error(`${name} stored no session: ${await page.title()}`, { cause: error });
    });
  await page.goto(`chrome-extension://${id}/popup.html`);
  const line = await page.waitForFunction(() => document.querySelector('#line')?.textContent);
  const isSignedOut = (await line.jsonValue()) === 'Signed out';
  await page.close();
  return { id, session: isSignedOut ? 'lost' : 'found' };
}

/** Copies the pages that all peers share into a peer's folder. */
export async function addPages(sourceDir: string, pagesDir: string): Promise<void> {
  await mkdir(sourceDir, { recursive: true });
  for (const page of ['popup.html', 'seed.html']) await copyFile(join(pagesDir, page), join(sourceDir, page));
}
