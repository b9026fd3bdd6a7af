// Holds the documents to the code: the tests that they name, their links, and their snippets.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { configEntries, providerEntries } from '../src/config/schema.ts';
import { causes, problemCodes } from '../src/session/problem.ts';
import { english } from './support/english.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

const claims = [...read('docs/security.md').matchAll(/`(tests\/[^`]+)` «([^»]*)»/g)].map(
  ([, file = '', title = '']) => [file, title] as const,
);

test('docs/security.md names the tests that hold its claims', () => {
  expect(claims.length).toBeGreaterThan(20);
});

test.each(claims)('%s has the test «%s» that docs/security.md names', (file, title) => {
  expect(title).not.toBe('');
  // A row of the table of faults is named by its number alone.
  const fault = /^F(\d+)$/.exec(title);
  expect(read(file)).toContain(fault === null ? title : `test('${title}: `);
});

const markdownIn = (folder: string) =>
  readdirSync(resolve(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));

test('every relative link of a document leads to a file', () => {
  const documents = [...markdownIn('.'), ...markdownIn('docs')];
  expect(documents.length).toBeGreaterThan(5);
  for (const document of documents) {
    for (const [, target = ''] of read(document).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(existsSync(resolve(root, dirname(document), target)), `${document} → ${target}`).toBe(true);
    }
  }
});

const firstColumn = (file: string) =>
  [...read(file).matchAll(/^\| (`[^|]*)/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );

test('docs/troubleshooting.md explains every problem code', () => {
  expect(firstColumn('docs/troubleshooting.md')).toEqual(problemCodes);
});

test('docs/troubleshooting.md quotes every diagnosis as the popup says it', () => {
  const document = read('docs/troubleshooting.md');
  const sentences = causes.map((cause) =>
    english.diagnosis.sentence({ cause, certainty: 'known', register: null }),
  );
  expect(sentences.filter((sentence) => !document.includes(`| ${sentence} `))).toEqual([]);
});

test('docs/configuration.md explains every key', () => {
  const keys = [configEntries, providerEntries].flatMap((entries) => Object.keys(entries));
  expect(firstColumn('docs/configuration.md').toSorted()).toEqual(
    keys.filter((key) => key !== '$schema').toSorted(),
  );
});

test('the code in docs/feature.md compiles in the place of the file that it names', async () => {
  const snippets = [...read('docs/feature.md').matchAll(/```tsx?\n\/\/ (\S+)\n([^]*?)```/g)].map(
    ([, file = '', code = '']) => ({ file, code }),
  );
  expect(snippets.length).toBeGreaterThan(3);
  await expectToCompile(snippets);
}, 60_000);

interface Snippet {
  /** The file that the snippet replaces or adds, relative to the project's root. */
  readonly file: string;
  readonly code: string;
}

/** Compiles each snippet as if it stood in the project, all in one run. Each has a folder of its own: two may name the same file. */
async function expectToCompile(snippets: readonly Snippet[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const overlays = snippets.map((_, index) => join(folder, String(index)));
  for (const [index, { file, code }] of snippets.entries()) {
    const path = join(folder, String(index), file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
  }
  const settings = {
    extends: join(root, 'tests/tsconfig.json'),
    compilerOptions: { incremental: false, rootDirs: [...overlays, root] },
    include: [...overlays, join(root, 'src/**/*.d.ts'), join(root, 'tools/**/*.d.ts')],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => {
    const { stdout } = error as { readonly stdout: string };
    throw new Error(`The code in docs/feature.md does not compile:\n${stdout}`);
  });
}
