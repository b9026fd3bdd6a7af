// Copies of the samples: extensions that had no sign-in, with the package of Latchkey installed.

import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { BrowserName } from '../../../tools/browser/browsers.ts';
import { writeFiles } from '../../../tools/files.ts';
import { type PackageName, packageNames } from '../../../tools/library.ts';
import { linkPackages, run } from '../first-hour/project-copy.ts';

const root = resolve(import.meta.dirname, '../../..');
const sampleFolder = join(root, 'tests/samples');

interface Kind {
  /** `linked` from this project, which has the same; `installed` from the registry, as of the day in its `.npmrc`; or `none`. */
  readonly packages: 'linked' | 'installed' | 'none';
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
  'no-bundler': {
    packages: 'none',
    async build(folder, browser) {
      await writeFiles({ root: folder, out: 'vendor/latchkey', config: 'latchkey.json' });
      await cp(join(folder, `vendor/latchkey/manifest.${browser}.json`), join(folder, 'manifest.json'));
      return '.';
    },
  },
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

/** Returns why a sample cannot be installed here, or null. */
export async function findObstacle(name: SampleName): Promise<string | null> {
  if (kinds[name].packages !== 'installed') return null;
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
  if (kinds[name].packages === 'none') return;
  if (kinds[name].packages === 'linked') await linkPackages(folder);
  else await run('npm install --no-progress --prefer-offline', folder);
  await unpack(folder, 'latchkey', tarball);
}

/** Unpacks one of Latchkey's packages in a folder with packages. What it depends on is linked from this project. */
export async function unpack(folder: string, name: PackageName, tarball: string): Promise<void> {
  const packages = join(folder, 'node_modules');
  const installed = join(packages, name);
  await mkdir(installed);
  await run(`tar -xzf "${tarball}" --strip-components=1 -C "${installed}"`, folder);
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
  };
  for (const dependency of Object.keys(dependencies)) {
    const link = join(packages, dependency);
    if (existsSync(link)) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', dependency), link, 'junction');
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
  for (const file of files.filter((each) => /\.(?:json|[jt]sx?)$/.test(each))) {
    const text = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), text.replaceAll(documentedIssuer, issuer));
  }
  return join(folder, await kinds[name].build(folder, browser));
}

/** Stands in for `npm install` in an extension that `create` has written, with the packages of this project. */
export async function installLinked(
  folder: string,
  packed: Readonly<Record<PackageName, string>>,
): Promise<void> {
  await linkPackages(folder);
  for (const name of packageNames) await unpack(folder, name, packed[name]);
}
