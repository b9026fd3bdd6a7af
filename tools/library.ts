// Writes Latchkey as an npm package, for an existing extension: `npm run library`.

import { execFile } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { readFolder } from './build/zip.ts';
import { readJson, root } from './build/read-text.ts';
import { readOptions, runIfStarted } from './command.ts';

interface SourcePackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The packages that its code imports, without React. The last is only for builds. */
const imported = ['idb', 'oauth4webapi', 'valibot', 'webextension-polyfill', 'jsonc-parser'];

const entryPoints: Readonly<Record<string, string>> = {
  './worker': 'src/library/worker',
  './session': 'src/library/session',
  './vite': 'tools/library/vite',
};

/**
 * Writes the package to `outDir`, `dist/library` by default, and returns the folder. The same sources give the same bytes.
 * Throws an Error with what the compiler says about a mistake in them.
 */
export async function buildLibrary(outDir = join(root, 'dist/library')): Promise<string> {
  const source = readJson('package.json') as SourcePackage;
  await rm(outDir, { recursive: true, force: true });
  await compile(outDir);
  for (const path of readFolder(outDir).keys()) {
    if (path.endsWith('.d.ts')) await nameScripts(join(outDir, path));
  }
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify(toPackage(source), null, 2)}\n`);
  for (const file of ['LICENSE', 'tools/library/README.md', 'src/config/schema.json']) {
    await copyFile(join(root, file), join(outDir, basename(file)));
  }
  return outDir;
}

async function compile(outDir: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const settings = join(root, 'tools/library/tsconfig.json');
  // With several threads, the order in which the compiler writes some types differs from run to run.
  const args = [compiler, '-p', settings, '--outDir', outDir, '--singleThreaded'];
  await promisify(execFile)(process.execPath, args, { cwd: root }).catch((error: unknown) => {
    throw new Error(`The package doesn't compile:\n${(error as { readonly stdout: string }).stdout}`);
  });
}

/** The compiler renames the imports of scripts, and leaves those of declarations as the sources have them. */
async function nameScripts(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replaceAll(/((?:from |import\()(['"])\.[^'"]*)\.ts\2/g, '$1.js$2'));
}

/** The package's own package.json. Its dependencies have the ranges of the project. */
export function toPackage(source: SourcePackage): object {
  const { name, version, description, license, engines } = source;
  const ranges = { ...source.devDependencies, ...source.dependencies };
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      ...Object.fromEntries(
        Object.entries(entryPoints).map(([entry, path]) => [
          entry,
          { types: `./${path}.d.ts`, default: `./${path}.js` },
        ]),
      ),
      './schema.json': './schema.json',
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(imported.toSorted().map((each) => [each, ranges[each]])),
    peerDependencies: { vite: '>=6' },
    peerDependenciesMeta: { vite: { optional: true } },
  };
}

await runIfStarted(import.meta.url, async () => {
  readOptions({}, '');
  const folder = relative(root, await buildLibrary());
  console.log(
    `${folder}  To make one file of it for npm install: npm pack ./${folder} --silent --pack-destination dist`,
  );
});
