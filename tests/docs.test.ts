// Holds the documents to the code: the tests that they name, and their snippets.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemCodes } from '../src/session/problem.ts';
import { parseConfig } from '../tools/build/read-config.ts';
import { findingCodes } from '../tools/doctor/finding.ts';
import { blocksOf } from './support/first-hour/documented.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

const isHeld = (file: string, title: string) =>
  ["'", '"', '`'].some((quote) => read(file).includes(quote + title));

test.each(['docs/supply-chain.md', 'docs/store/data.md'])(
  '%s names the tests that hold its claims, each by the start of its title',
  (document) => {
    const claims = [...read(document).matchAll(/`(tests\/[^`]+)` «([^»]+)»/g)];
    expect(claims).not.toEqual([]);
    expect(claims.filter(([, file = '', title = '']) => !isHeld(file, title))).toEqual([]);
  },
);

test('each claim about security has tests in docs/security-tests.md, by the start of their titles', () => {
  const made = ['docs/security-claims.md', 'docs/security.md'].flatMap((file) =>
    [...read(file).matchAll(/\*\*([A-Z]\d+)(?::|\*\*)/g)].map(([, claim]) => claim),
  );
  const rows = [...read('docs/security-tests.md').matchAll(/^\| ([A-Z]\d+)? +\| (.*?) +\| `(.*)` +\|$/gm)];
  expect(rows.flatMap(([, claim]) => claim ?? []).toSorted()).toEqual(made.toSorted());
  expect(rows.filter(([, , title = '', file]) => !isHeld(`tests/${file}`, title))).toEqual([]);
});

const firstColumn = (file: string) =>
  [...read(file).matchAll(/^\| (`[^|]*)/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );

test('docs/troubleshooting.md explains every problem code', () => {
  const [, part = ''] = /^## Problem codes$([^]*?)^## /m.exec(read('docs/troubleshooting.md')) ?? [];
  expect([...part.matchAll(/^### `(.*)`$/gm)].map(([, code]) => code)).toEqual(problemCodes);
});

test('docs/doctor.md explains every finding', () => {
  expect(firstColumn('docs/doctor.md')).toEqual(findingCodes);
});

test('docs/doctor.md explains no finding that the doctor never makes', () => {
  const sources = readdirSync(resolve(root, 'tools/doctor')).map((file) => read(`tools/doctor/${file}`));
  const made = sources.flatMap((source) =>
    [...source.matchAll(/(?:\b(?:ok|note|warning|error|failureRows|unansweredRow)|\))\(\s*'([^']+)'/g)].map(
      ([, code]) => code,
    ),
  );
  expect(findingCodes.filter((code) => !made.includes(code))).toEqual([]);
});

describe('the code in docs/into-your-extension.md', () => {
  const blocks = blocksOf('docs/into-your-extension.md');
  const excerpts = blocks.filter(({ language }) => /^(?:tsx?|js)$/.test(language));
  const samples = readdirSync(resolve(root, 'tests/samples'));

  test('names the sample that it is from', () => {
    expect(new Set(excerpts.map(({ file }) => file?.split('/')[0]))).toEqual(new Set(samples));
  });

  test.each(excerpts)('stands in $file', ({ file, code }) => {
    expect(read(`tests/samples/${file}`)).toContain(code);
  });

  test.each(excerpts.filter(({ file }) => file?.endsWith('.config.ts')))(
    'is all of $file, with its imports',
    ({ file, code }) => {
      expect(code).toBe(read(`tests/samples/${file}`));
    },
  );

  test.each(samples)('configures %s', (sample) => {
    const configuration = blocks.find(({ language }) => language === 'json')?.code ?? '';
    expect(read(`tests/samples/${sample}/latchkey.json`)).toBe(configuration);
    expect(parseConfig(configuration, 'latchkey.json').providers).toHaveLength(1);
  });
});
