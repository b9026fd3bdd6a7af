// Writes Latchkey as two npm packages: `latchkey`, which ships in extensions, and `latchkey-tools`, its commands and what tests
// need. `npm run library`.

import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative } from 'node:path';
import { promisify } from 'node:util';
import { readFolder } from './build/zip.ts';
import { latchkey, readJson, readText, root } from './build/read-text.ts';
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

export const packageNames = ['latchkey', 'latchkey-tools'] as const;
export type PackageName = (typeof packageNames)[number];

interface PackagePlan {
  readonly entryPoints: Readonly<Record<string, string>>;
  readonly otherFiles: readonly string[];
  /** The members of its package.json that no other package has. */
  readonly members: (source: SourcePackage) => object;
}

const packages: Readonly<Record<PackageName, PackagePlan>> = {
  latchkey: {
    entryPoints: {
      './worker': 'src/library/worker',
      './session': 'src/library/session',
      './browser': 'src/bridge/browser',
      './popup': 'src/library/popup',
      './react': 'src/library/react',
      './testing': 'tools/library/testing',
      './vite': 'tools/library/vite',
    },
    otherFiles: ['LICENSE', 'tools/library/README.md', 'src/config/schema.json'],
    members: ({ dependencies, devDependencies }) => ({
      sideEffects: ['**/*.css'],
      dependencies: pick({ ...devDependencies, ...dependencies }, [
        '@types/webextension-polyfill',
        'idb',
        'jsonc-parser',
        'oauth4webapi',
        'valibot',
        'webextension-polyfill',
      ]),
      peerDependencies: { ...pick(dependencies, ['react', 'react-dom']), vite: '>=6' },
      peerDependenciesMeta: optional(['react', 'react-dom', 'vite']),
    }),
  },
  'latchkey-tools': {
    entryPoints: {},
    // The commands name these documents.
    otherFiles: ['LICENSE', 'docs'],
    members: ({ version, dependencies, devDependencies }) => ({
      bin: { latchkey: './tools/latchkey.js' },
      dependencies: pick({ ...devDependencies, ...dependencies }, [
        '@crxjs/vite-plugin',
        '@puppeteer/browsers',
        '@vitejs/plugin-react',
        'fflate',
        'jose',
        'oauth4webapi',
        'oidc-provider',
        'puppeteer-core',
        'valibot',
        'vite',
      ]),
      peerDependencies: { latchkey: version },
    }),
  },
};

/**
 * Writes both packages to folders of their names in `outDir`, `dist/library` by default, and returns `outDir`. The same sources
 * give the same bytes. Throws an Error with what the compiler says about a mistake in them.
 */
export async function buildLibrary(outDir = join(root, 'dist/library')): Promise<string> {
  const source = readJson('package.json', latchkey) as SourcePackage;
  await rm(outDir, { recursive: true, force: true });
  const compiled = join(outDir, 'compiled');
  await compile(compiled);
  const decoder = new TextDecoder();
  const scripts = new Map([...readFolder(compiled)].map(([path, bytes]) => [path, decoder.decode(bytes)]));
  await rm(compiled, { recursive: true });
  const findOwner = divide(scripts);
  for (const [path, code] of scripts) {
    const owner = findOwner(path);
    await write(join(outDir, owner, path), nameAmbient(path) + nameScripts(path, code, owner, findOwner));
  }
  for (const name of packageNames) {
    const { otherFiles } = packages[name];
    await write(join(outDir, name, 'package.json'), `${JSON.stringify(toPackage(name, source), null, 2)}\n`);
    for (const file of otherFiles) {
      const filter = (path: string) => !path.endsWith('.png');
      await cp(join(latchkey, file), join(outDir, name, basename(file)), { recursive: true, filter });
    }
  }
  await copyParts(join(outDir, 'latchkey'));
  const types = 'tools/demo-provider/oidc-provider.d.ts';
  await copyFile(join(latchkey, types), join(outDir, 'latchkey-tools', types));
  return outDir;
}

/** Names the ambient types that a file of types needs, which no import can name: a feature may import `latchkey:config`. */
function nameAmbient(path: string): string {
  if (/^src\/library\/.*\.d\.ts$/.test(path)) return '/// <reference path="../config/built.d.ts" />\n';
  return /^tools\/demo-provider\/.*\.d\.ts$/.test(path)
    ? '/// <reference path="./oidc-provider.d.ts" />\n'
    : '';
}

async function copyParts(folder: string): Promise<void> {
  const styles = [...readFolder(join(latchkey, 'src')).keys()].filter((file) => file.endsWith('.css'));
  for (const file of ['manifest.json', 'src/public', ...styles.map((style) => `src/${style}`)]) {
    await cp(join(latchkey, file), join(folder, file), { recursive: true });
  }
  const page = 'src/popup/index.html';
  await write(join(folder, page), readText(page, latchkey).replace('./main.ts', './main.js'));
  for (const file of ['src/config/built.d.ts', 'src/popup/built.d.ts', 'src/background/built.d.ts']) {
    await write(join(folder, file), toJavaScript(readText(file, latchkey)));
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function compile(outDir: string): Promise<void> {
  const compiler = join(latchkey, 'node_modules/typescript/bin/tsc');
  const settings = join(latchkey, 'tools/library/tsconfig.json');
  // With several threads, the order in which the compiler writes some types differs from run to run.
  const args = [compiler, '-p', settings, '--outDir', outDir, '--singleThreaded'];
  await promisify(execFile)(process.execPath, args, { cwd: latchkey }).catch((error: unknown) => {
    throw new Error(`The package doesn't compile:\n${(error as { readonly stdout: string }).stdout}`);
  });
}

/**
 * Returns a function that finds the package of a file. `latchkey` has the sources of extensions, and those tools that its entry
 * points import; `latchkey-tools` the others.
 */
function divide(scripts: ReadonlyMap<string, string>): (path: string) => PackageName {
  const reached = new Set(Object.values(packages.latchkey.entryPoints).map((path) => `${path}.js`));
  // The loop also reaches what it adds to the set.
  for (const path of reached) {
    for (const [, , source = ''] of (scripts.get(path) ?? '').matchAll(
      /^(?:import|export) .*?(['"])(\..*?)\1;$/gms,
    )) {
      reached.add(posix.join(posix.dirname(path), source));
    }
  }
  return (path) =>
    path.startsWith('src/') || reached.has(path.replace(/\.d\.ts$/, '.js')) ? 'latchkey' : 'latchkey-tools';
}

/**
 * The compiler renames the imports of scripts, and leaves those of declarations as the sources have them. An import of a file in the
 * other package gets the name of that package.
 */
function nameScripts(
  path: string,
  code: string,
  owner: PackageName,
  findOwner: (path: string) => PackageName,
): string {
  const renamed = path.endsWith('.d.ts') ? toJavaScript(code) : code;
  return renamed.replaceAll(
    /((?:from |import\(|^import )(['"]))(\..*?)\2/gm,
    (whole, before: string, quote: string, source: string) => {
      const target = posix.join(posix.dirname(path), source);
      const other = findOwner(target);
      return other === owner ? whole : `${before}${other}/internal/${target}${quote}`;
    },
  );
}

function toJavaScript(declarations: string): string {
  return declarations.replaceAll(/((?:from |import\()(['"])\.[^'"]*)(?<!\.d)\.tsx?\2/g, '$1.js$2');
}

/** The package.json of one of the packages. Its dependencies have the ranges of the project. */
export function toPackage(name: PackageName, source: SourcePackage): object {
  const { version, description, license, engines } = source;
  const { entryPoints, members } = packages[name];
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    exports: {
      ...Object.fromEntries(
        Object.entries(entryPoints).map(([entry, path]) => [
          entry,
          { types: `./${path}.d.ts`, default: `./${path}.js` },
        ]),
      ),
      ...(name === 'latchkey' && { './schema.json': './schema.json' }),
      './package.json': './package.json',
      // For the other package. Everything else is free to use only what has a name above.
      './internal/*': './*',
    },
    ...members(source),
  };
}

function pick(ranges: Readonly<Record<string, string>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, ranges[name]]));
}

function optional(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { optional: true }]));
}

/** Builds both packages in `outDir` and packs each into a file there. Returns the paths of the files. */
export async function packLibrary(outDir?: string): Promise<Readonly<Record<PackageName, string>>> {
  const folder = await buildLibrary(outDir);
  const folders = packageNames.map((name) => `./${name}`);
  const { stdout } = await promisify(execFile)('npm', ['pack', ...folders, '--silent'], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  const files = stdout.trim().split(/\s+/);
  return Object.fromEntries(
    packageNames.map((name, index) => [name, join(folder, String(files[index]))]),
  ) as Record<PackageName, string>;
}

await runIfStarted(import.meta.url, async () => {
  readOptions({}, '');
  for (const file of Object.values(await packLibrary())) console.log(relative(root, file));
});
