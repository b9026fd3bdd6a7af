// Copies of the samples: extensions that had no sign-in, with the package of Latchkey installed.

import { readdirSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BrowserName } from '../../../tools/browser/browsers.ts';
import { buildLibrary } from '../../../tools/library.ts';
import { linkPackages, run } from '../first-hour/project-copy.ts';

const root = resolve(import.meta.dirname, '../../..');
const sampleFolder = join(root, 'tests/samples');

interface Kind {
  /** `linked` from this project, which has the same; or `installed` from the registry, as of the day in its `.npmrc`. */
  readonly packages: 'linked' | 'installed';
  /** Builds for a browser. Returns the folder of the build, relative to the copy. */
  readonly build: (folder: string, browser: BrowserName) => Promise<string>;
}

const withVite: Kind = {
  packages: 'linked',
  async build(folder, browser) {
    await run('npm run build', folder, { BROWSER: browser });
    return `dist/${browser}`;
  },
};

const kinds = {
  'crxjs-react': withVite,
  'plain-vite': withVite,
  wxt: {
    packages: 'installed',
    async build(folder, browser) {
      await run(`npm run build -- --browser ${browser}`, folder);
      // WXT has written its TypeScript settings by now.
      await run('npx --no-install tsc --noEmit', folder);
      return `.output/${browser}-mv3`;
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;

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

/** Returns why a sample cannot be installed here, or null. */
export async function findObstacle(name: SampleName): Promise<string | null> {
  if (kinds[name].packages === 'linked') return null;
  return run('npm view wxt version --prefer-online --fetch-retries=0', root).then(
    () => null,
    () => `The registry of npm cannot be reached, from which the packages of the sample ${name} come.`,
  );
}

/**
 * Copies a sample to `folder`, with the packages that it names and that of `tarball`. The packages that Latchkey needs are
 * those of this project.
 */
export async function copySample(name: SampleName, folder: string, tarball: string): Promise<void> {
  await cp(join(sampleFolder, name), folder, { recursive: true });
  if (kinds[name].packages === 'linked') await linkPackages(folder);
  else await run('npm install --no-progress --prefer-offline', folder);
  const packages = join(folder, 'node_modules');
  const installed = join(packages, 'latchkey');
  await mkdir(installed);
  await run(`tar -xzf "${tarball}" --strip-components=1 -C "${installed}"`, folder);
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
  };
  const present = readdirSync(packages);
  for (const dependency of Object.keys(dependencies).filter((each) => !present.includes(each))) {
    await symlink(join(root, 'node_modules', dependency), join(packages, dependency), 'junction');
  }
}

/** Builds a copy for a provider at `issuer`, with the sample's own command. Returns the folder of the build. */
export async function buildSample(
  name: SampleName,
  folder: string,
  issuer: string,
  browser: BrowserName,
): Promise<string> {
  const files = readdirSync(join(sampleFolder, name), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((each) => /\.(?:json|tsx?)$/.test(each))) {
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(documentedIssuer, issuer));
  }
  return join(folder, await kinds[name].build(folder, browser));
}
