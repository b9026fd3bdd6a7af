// Keeps src/config/schema.json and src/public/managed-schema.json in step with the reader.
// After changing a schema or a description, update the files with `npx vitest run tests/config -u`.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { expect, test } from 'vitest';
import { toConfigJsonSchema } from '../support/json-schema.ts';
import { toManagedSchema } from '../support/managed-schema.ts';

const schemaPath = resolve(import.meta.dirname, '../../src/config/schema.json');

test('the JSON Schema for editors matches the schema of the reader', async () => {
  const text = JSON.stringify(toConfigJsonSchema());
  const style = JSON.parse(await readFile('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code } = await format(schemaPath, text, style);
  await expect(code).toMatchFileSnapshot(schemaPath);
});

test('the managed schema for Chromium matches the schema of the reader', async () => {
  const path = resolve(import.meta.dirname, '../../src/public/managed-schema.json');
  const text = JSON.stringify(toManagedSchema());
  const style = JSON.parse(await readFile('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code } = await format(path, text, style);
  await expect(code).toMatchFileSnapshot(path);
});

test('the managed schema has no word that Chromium does not know', () => {
  const words = [...JSON.stringify(toManagedSchema()).matchAll(/"(\$?\w+)":/g)].map(([, word]) => word);
  for (const word of ['anyOf', 'oneOf', 'allOf', 'not', 'const', 'nullable', '$schema', 'pattern'])
    expect(words).not.toContain(word);
});

test('the patterns of the JSON Schema are valid with the Unicode flag, which editors set', () => {
  const patterns = [...JSON.stringify(toConfigJsonSchema()).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
  expect(patterns.length).toBeGreaterThan(5);
  for (const [, pattern = ''] of patterns) {
    expect(() => new RegExp(JSON.parse(pattern) as string, 'u')).not.toThrow();
  }
});
