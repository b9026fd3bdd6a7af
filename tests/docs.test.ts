// Holds the documents to the code: the tests that they name, and their snippets.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { causes, problemCodes } from '../src/session/problem.ts';
import { parseConfig } from '../tools/build/parse-config.ts';
import { findingCodes } from '../tools/doctor/finding.ts';
import { english, toRead } from './support/english.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

const claims = [
  'docs/security.md',
  'docs/supply-chain.md',
  'docs/store/data.md',
  'docs/upgrading.md',
].flatMap((document) =>
  [...read(document).matchAll(/`(tests\/[^`]+)` «([^»]*)»/g)].map(
    ([, file = '', title = '']) => [file, title, document] as const,
  ),
);

test('the documents name the tests that hold their claims', () => {
  expect(claims.length).toBeGreaterThan(25);
});

test.each(claims)('%s has the test «%s» that %s names', (file, title) => {
  expect(title).not.toBe('');
  // A row of the table of faults is named by its number alone.
  const fault = /^F(\d+)$/.exec(title);
  expect(read(file)).toContain(fault === null ? title : `test('${title}: `);
});

const firstColumn = (file: string) =>
  [...read(file).matchAll(/^\| (`[^|]*)/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );

describe('docs/troubleshooting.md', () => {
  const [, part = ''] = /^## Problem codes$([^]*?)^## /m.exec(read('docs/troubleshooting.md')) ?? [];
  const sections = part.split(/^### /m).slice(1);

  test('explains every problem code', () => {
    expect(sections.map((section) => /^`(.*)`/.exec(section)?.[1])).toEqual(problemCodes);
  });

  test.each(sections.map((section, index) => [problemCodes[index], section]))(
    'says of %s what the popup shows, and what person, developer and administrator can do',
    (code = 'unexpected', section = '') => {
      const shown = toRead(english.problem.whatHappened(code)).replace(toRead(english.product), 'Latchkey');
      expect(section).toContain(`**“${shown}”**`);
      const steps = [...section.matchAll(/^- \*\*The (\w+)\*\*: \S/gm)].map(([, role]) => role);
      expect(steps).toEqual(['person', 'developer', 'administrator']);
    },
  );
});

test('docs/doctor.md explains every finding', () => {
  expect(firstColumn('docs/doctor.md')).toEqual(findingCodes);
});

test('docs/troubleshooting.md quotes every diagnosis as the popup says it', () => {
  const document = read('docs/troubleshooting.md');
  const sentences = causes.map((cause) =>
    english.diagnosis.sentence({ cause, certainty: 'known', register: null }),
  );
  expect(sentences.filter((sentence) => !document.includes(`| ${sentence} `))).toEqual([]);
});

describe('CHANGELOG.md', () => {
  const sections = read('CHANGELOG.md').split(/^## /m).slice(1);

  test('begins with what is not released, and then has a version and a date for each release', () => {
    const [first, ...releases] = sections.map((section) => section.split('\n')[0]);
    expect(first).toBe('[Unreleased]');
    for (const release of releases) expect(release).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/);
  });

  test.each(sections)('has the headings of docs/upgrading.md, in their order: section %#', (section) => {
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
    expect(headings).toEqual(known.filter((heading) => headings.includes(heading)));
  });
});

describe('the code in docs/into-your-extension.md', () => {
  const document = read('docs/into-your-extension.md');
  const excerpts = [...document.matchAll(/```tsx?\n\/\/ (\S+)\n([^]*?)\n```/g)].map(
    ([, file = '', code = '']) => [file, code] as const,
  );

  test('names the sample that it is from', () => {
    expect(excerpts).toHaveLength(document.match(/^```tsx?$/gm)?.length ?? 0);
    expect(new Set(excerpts.map(([file]) => file.split('/')[0]))).toEqual(
      new Set(readdirSync(resolve(root, 'tests/samples'))),
    );
  });

  test.each(excerpts)('stands in %s', (file, code) => {
    expect(read(`tests/samples/${file}`)).toContain(code);
  });

  test.each(readdirSync(resolve(root, 'tests/samples')))('configures %s', (sample) => {
    const [, configuration = ''] = /```json\n([^]*?)```/.exec(document) ?? [];
    expect(read(`tests/samples/${sample}/latchkey.json`)).toBe(configuration);
    expect(parseConfig(configuration, 'latchkey.json').providers).toHaveLength(1);
  });
});

describe('the code in docs/feature.md', () => {
  const snippets = [...read('docs/feature.md').matchAll(/```tsx?\n\/\/ (\S+)\n([^]*?)```/g)].map(
    ([, file = '', code = '']) => ({ file, code }),
  );

  test('names the file in whose place it stands', () => {
    const blocks = read('docs/feature.md').match(/^```tsx?$/gm);
    expect(blocks?.length).toBeGreaterThan(6);
    expect(snippets).toHaveLength(blocks?.length ?? 0);
  });

  test('compiles there', async () => {
    const overlays = await writeOverlays(snippets);
    const folder = dirname(overlays[0] ?? '');
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const settings = {
      extends: join(root, 'tests/tsconfig.json'),
      compilerOptions: { incremental: false, rootDirs: [...overlays, root] },
      include: [
        ...overlays,
        ...['src/**/*.d.ts', 'tools/**/*.d.ts', 'tests/support/browser/global-setup.ts'].map((file) =>
          join(root, file),
        ),
      ],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    // On one thread, because the others are busy with other tests.
    expect(await complaintsOf(folder, 'typescript/bin/tsc', '-p', '.', '--singleThreaded')).toBe('');
  }, 60_000);

  test('passes the linter there', async () => {
    const overlays = await writeOverlays(snippets);
    for (const overlay of overlays) await cp(join(root, '.oxlintrc.json'), join(overlay, '.oxlintrc.json'));
    const folder = dirname(overlays[0] ?? '');
    expect(await complaintsOf(folder, 'oxlint/bin/oxlint', '--deny-warnings', '--quiet')).toBe('');
  }, 60_000);
});

interface Snippet {
  /** The file that the snippet replaces or adds, relative to the project's root. */
  readonly file: string;
  readonly code: string;
}

/** Writes each snippet as if it stood in the project. Each has a folder of its own, because two may name the same file. */
async function writeOverlays(snippets: readonly Snippet[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-docs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const overlays = snippets.map((_, index) => join(folder, String(index)));
  for (const [index, { file, code }] of snippets.entries()) {
    const path = join(folder, String(index), file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
  }
  return overlays;
}

/** The output of a tool of node_modules that fails in `cwd`; empty if it succeeds. */
async function complaintsOf(cwd: string, tool: string, ...args: readonly string[]): Promise<string> {
  const running = promisify(execFile)(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd });
  return running.then(
    () => '',
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
}
