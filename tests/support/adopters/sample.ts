// Copies of the samples: extensions that had no sign-in, with the package of Latchkey installed.

import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildLibrary } from '../../../tools/library.ts';
import type { BrowserName } from '../../../tools/browser/browsers.ts';
import { linkPackages, run } from '../first-hour/project-copy.ts';

const root = resolve(import.meta.dirname, '../../..');

const sampleFolder = join(root, 'tests/samples');

/** How the packages of a sample come into its copy, and where its build is. */
const kinds = {
  'crxjs-react': { packages: 'of the project', build: 'dist/' },
  'plain-vite': { packages: 'of the project', build: 'dist/' },
  wxt: { packages: 'of the registry', build: '.output/' },
} as const;

export type SampleName = keyof typeof kinds;

export const sampleNames = Object.keys(kinds) as readonly SampleName[];

/** The address at which the samples expect the demo provider. */
const documentedIssuer = 'http://localhost:4455';

/** Packs the package of Latchkey into `folder`, and returns the path of the file. */
export async function packLibrary(folder: string): Promise<string> {
  await buildLibrary(join(folder, 'library'));
  await run('npm pack ./library --silent', folder);
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (file === undefined) throw new Error('npm packs nothing.');
  return join(folder, file);
}

/**
 * Copies a sample to `folder`, with the packages that it names and that of `tarball`. The packages that Latchkey needs are
 * those of this project.
 */
export async function copySample(name: SampleName, folder: string, tarball: string): Promise<void> {
  await cp(join(sampleFolder, name), folder, { recursive: true });
  if (kinds[name].packages === 'of the project') await linkPackages(folder);
  else await run('npm ci --no-audit --no-progress --prefer-offline', folder);
  const installed = join(folder, 'node_modules/latchkey');
  await mkdir(installed);
  await run(`tar -xzf "${tarball}" --strip-components=1 -C "${installed}"`, folder);
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
  };
  const present = readdirSync(join(folder, 'node_modules'));
  for (const dependency of Object.keys(dependencies).filter((each) => !present.includes(each))) {
    const target = join(root, 'node_modules', dependency);
    await symlink(target, join(folder, 'node_modules', dependency), 'junction');
  }
}

/** Builds a copy for a provider at `issuer`, with the sample's own command. Returns the folder of the build. */
export async function buildSample(
  name: SampleName,
  folder: string,
  issuer: string,
  browser: BrowserName,
): Promise<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(?:json|tsx?)$/.test(file) && !file.startsWith('node_modules') && !file.startsWith('.'),
  );
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (text.includes(documentedIssuer))
      await writeFile(join(folder, file), text.replaceAll(documentedIssuer, issuer));
  }
  if (name === 'wxt') {
    await run(`npm run build -- --browser ${browser}`, folder, { WXT_SKIP_PREPARE: '1' });
    return join(folder, '.output', `${browser}-mv3`);
  }
  await run('npm run build', folder, { BROWSER: browser });
  return join(folder, 'dist', browser);
}
