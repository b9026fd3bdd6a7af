// The peers: installs their packages in a folder of their own, so that they burden nobody else, and lists them.

import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { addPages, createKey, type Companion } from './companions.ts';

const run = promisify(execFile);

const sources = resolve(import.meta.dirname, 'peers');
/** Outside the sources: tools that search for tests and modules do not look here. */
const installed = resolve(import.meta.dirname, '../../node_modules/.cache/bench-peers');

/** The peers' folders, and the packages that they show. */
export const packages: Readonly<Record<string, string>> = {
  'oidc-client-ts': 'oidc-client-ts',
  msal: '@azure/msal-browser',
  auth0: '@auth0/auth0-spa-js',
  logto: '@logto/chrome-extension',
  firebase: 'firebase/auth/web-extension',
  supabase: '@supabase/supabase-js',
  'openid-client': 'openid-client',
};

/** Installs the peers' packages if their lock file has changed, and returns the peers, ready to be built. */
export async function preparePeers(): Promise<readonly Companion[]> {
  const lock = await readFile(join(sources, 'package-lock.json'), 'utf8');
  const stamp = join(installed, 'installed-lock.json');
  if ((await readFile(stamp, 'utf8').catch(() => '')) !== lock) {
    await mkdir(installed, { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      await cp(join(sources, file), join(installed, file));
    await run('npm', ['ci', '--ignore-scripts'], { cwd: installed, maxBuffer: 16 * 1024 * 1024 });
    await writeFile(stamp, lock);
  }
  for (const entry of await readdir(sources, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const copy = join(installed, entry.name);
    if (entry.isDirectory()) await rm(copy, { recursive: true, force: true });
    if (entry.isDirectory() || /\.(?:ts|html)$/.test(entry.name))
      await cp(join(sources, entry.name), copy, { recursive: true });
  }
  return Promise.all(
    Object.entries(packages).map(async ([folder, name]) => {
      const sourceDir = join(installed, folder);
      await addPages(sourceDir, installed);
      return { name, sourceDir, seedPage: 'seed.html' as const, key: createKey() };
    }),
  );
}
