// `npm run create -- ../acme --name "Acme" --id sign-in@acme.example`: writes a new extension that depends on Latchkey's packages.

import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readFolder } from './build/zip.ts';
import { latchkey, readJson, setInJson } from './build/read-text.ts';
import { readOptions, runIfStarted, UsageError } from './command.ts';
import { packLibrary, type PackageName } from './library.ts';
import {
  edit,
  type Identity,
  identityOptions,
  toIdentity,
  toIdentityEdits,
  toPackageName,
} from './rename.ts';

export interface NewExtension extends Identity {
  readonly folder: string;
}

const example = '../acme --name "Acme" --id sign-in@acme.example';

/** Reads the command line. Throws a {@link UsageError} that names what is wrong and what it expects. */
export function readNewExtension(
  args: readonly string[] = process.argv.slice(2),
  environment?: Readonly<Record<string, string | undefined>>,
): NewExtension {
  const [folder = '', ...others] = args[0]?.startsWith('-') === false ? args : ['', ...args];
  const options = readOptions(identityOptions, example, others, environment);
  if (folder === '') {
    throw new UsageError(`The folder of the new extension is missing: npm run create -- ${example}`);
  }
  return { folder, ...toIdentity(options) };
}

const template = join(latchkey, 'tools/create/template');

type Versions = Readonly<Record<string, string>>;

/**
 * Writes the new extension, with the files of the packages in its folder `vendor`. Returns the paths of its files, relative to its folder.
 * Throws a {@link UsageError} if the folder isn't empty.
 */
export async function create(
  { folder, name, geckoId, description }: NewExtension,
  packed: Readonly<Record<PackageName, string>>,
): Promise<readonly string[]> {
  expectEmpty(folder);
  const { dependencies, devDependencies } = readJson('package.json', latchkey) as Readonly<
    Record<'dependencies' | 'devDependencies', Versions>
  >;
  const toVendored = (file: string) => `vendor/${basename(file)}`;
  const vendored = Object.entries(packed).map(([each, file]) => [each, `file:${toVendored(file)}`] as const);
  const ranges: Versions = { ...devDependencies, ...dependencies, ...Object.fromEntries(vendored) };
  const edits: Readonly<Record<string, (text: string) => string>> = {
    'package.json': (text) =>
      setInJson('package.json', text, ['name'], toPackageName(name)).replaceAll(
        /"([^"]+)": "\*"/g,
        (_whole, each: string) => `"${each}": ${JSON.stringify(ranges[each])}`,
      ),
    'manifest.json': (text) =>
      edit('manifest.json', text, [[['name'], name], ...toIdentityEdits(geckoId, description)]),
    'README.md': (text) => text.replace('# Acme', () => `# ${name}`),
  };
  const written = [...readFolder(template)].map(([file, bytes]) => {
    const text = new TextDecoder().decode(bytes);
    return [file, edits[file]?.(text) ?? text] as const;
  });
  for (const [file, text] of written) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  await mkdir(join(folder, 'vendor'));
  for (const file of Object.values(packed)) await copyFile(file, join(folder, toVendored(file)));
  return [...written.map(([file]) => file), ...Object.values(packed).map(toVendored)].toSorted();
}

function expectEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  const present = readdirSync(folder).filter((file) => file !== '.git');
  if (present.length === 0) return;
  throw new UsageError(`${folder} isn't empty: it has ${present.slice(0, 3).join(', ')}. Name a new folder.`);
}

await runIfStarted(import.meta.url, async (onStop) => {
  const extension = readNewExtension();
  // Before the packages are built, which takes seconds.
  expectEmpty(extension.folder);
  const temporary = await mkdtemp(join(tmpdir(), 'latchkey-packages-'));
  onStop(() => rm(temporary, { recursive: true, force: true }));
  const files = await create(extension, await packLibrary(temporary));
  console.log(`${extension.name} is in ${resolve(extension.folder)}:
${files.map((file) => `  ${file}`).join('\n')}

Next:
  cd ${relative(process.cwd(), extension.folder)}
  npm install
  npm start`);
});
