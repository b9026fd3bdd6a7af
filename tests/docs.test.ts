// Holds the documents to the code: the tests that they name, and their snippets.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { causes, problemCodes } from '../src/session/problem.ts';
import { parseConfig } from '../tools/build/parse-config.ts';
import { findingCodes } from '../tools/doctor/finding.ts';
import { english, toRead, whatHappened, whyItFailed } from './support/english.ts';
import { readClaims } from './support/claims.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

// At the end of a run, its closing lines name a claim whose test did not run (tests/support/run-notes.ts).
test.each(readClaims())('$document names a file of tests that exists: $file', ({ file }) => {
  expect(existsSync(resolve(root, file))).toBe(true);
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
      const shown = toRead(whatHappened(code)).replace(toRead(english('extensionName')), 'Latchkey');
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
  const sentences = causes.map((cause) => whyItFailed({ cause, certainty: 'known' }));
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
