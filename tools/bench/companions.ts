// The pages that ours is compared with: the floors, and the libraries that others use instead (the peers).

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import react from '@vitejs/plugin-react';
import { runBuild } from '../build.ts';

/** The folder with a static page, and one with a line in React. */
export const floorsFolder = resolve(import.meta.dirname, 'floors');

/** The packages of the peers, by the folder with a call of each. */
const packages: Readonly<Record<string, string>> = {
  'oidc-client-ts': 'oidc-client-ts',
  msal: '@azure/msal-browser',
  auth0: '@auth0/auth0-spa-js',
  logto: '@logto/chrome-extension',
  firebase: 'firebase/auth/web-extension',
  supabase: '@supabase/supabase-js',
  'openid-client': 'openid-client',
};

const sources = resolve(import.meta.dirname, 'peers');
/** Outside the sources: tools that search for tests and modules don't look here. */
const installed = resolve(import.meta.dirname, '../../node_modules/.cache/bench-peers');

/** A library with its popup and, if it runs without a window, its worker. */
interface Peer {
  readonly name: string;
  readonly folder: string;
  readonly hasWorker: boolean;
}

/** Installs the peers' packages if their lock file has changed, and returns the peers, ready to be built. */
export async function preparePeers(): Promise<readonly Peer[]> {
  const lock = await readFile(join(sources, 'package-lock.json'), 'utf8');
  const stamp = join(installed, 'installed-lock.json');
  const isInstalled = (await readFile(stamp, 'utf8').catch(() => '')) === lock;
  if (!isInstalled) await rm(installed, { recursive: true, force: true });
  await cp(sources, installed, { recursive: true });
  if (!isInstalled) {
    const options = { cwd: installed, maxBuffer: 16 * 1024 * 1024 };
    await promisify(execFile)('npm', ['ci', '--ignore-scripts'], options);
    await writeFile(stamp, lock);
  }
  return Promise.all(
    Object.entries(packages).map(async ([directory, name]) => {
      const folder = join(installed, directory);
      await cp(join(installed, 'popup.html'), join(folder, 'popup.html'));
      return { name, folder, hasWorker: existsSync(join(folder, 'background.ts')) };
    }),
  );
}

/** Builds the popup.html of a folder, which will be at `base` of an extension, and more entries, as a production build. */
export function buildPage(
  folder: string,
  outDir: string,
  base: string,
  entries: readonly string[] = [],
): Promise<void> {
  return runBuild(
    {
      root: folder,
      base,
      plugins: [react()],
      build: {
        outDir,
        emptyOutDir: true,
        target: 'chrome148',
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: [join(folder, 'popup.html'), ...entries],
          output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        },
      },
    },
    'production',
  );
}
