// Keeps src/config/schema.json, src/public/managed-schema.json and docs/configuration-reference.md in step with the reader.
// After changing a schema or a description, update the files with `npx vitest run --project unit tests/config -u`.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { expect, test } from 'vitest';
import { toReferencePage } from '../support/configuration-page.ts';
import { toConfigJsonSchema } from '../support/json-schema.ts';
import { toManagedSchema } from '../support/managed-schema.ts';

const root = resolve(import.meta.dirname, '../..');

test.each([
  ['src/config/schema.json', () => JSON.stringify(toConfigJsonSchema())],
  ['src/public/managed-schema.json', () => JSON.stringify(toManagedSchema())],
  ['docs/configuration-reference.md', toReferencePage],
])('%s says what the schema of the reader says', async (file, generate) => {
  const path = resolve(root, file);
  const style = JSON.parse(await readFile(resolve(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { code } = await format(path, generate(), style);
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
