// Keeps src/config/schema.json equal to what the reader accepts. After a change of the schema or of a
// description, `npx vitest run tests/config -u` writes it anew.

import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { toConfigJsonSchema } from '../support/json-schema.ts';

const schemaPath = resolve(import.meta.dirname, '../../src/config/schema.json');

test('the JSON Schema for editors is the one that the reader’s schema makes', async () => {
  const text = JSON.stringify(toConfigJsonSchema());
  const formatted = await format(text, { ...(await resolveConfig(schemaPath)), filepath: schemaPath });
  await expect(formatted).toMatchFileSnapshot(schemaPath);
});

test('the JSON Schema’s patterns are read alike by an editor, which reads them as Unicode', () => {
  const patterns = [...JSON.stringify(toConfigJsonSchema()).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
  expect(patterns.length).toBeGreaterThan(5);
  for (const [, pattern = ''] of patterns) {
    expect(() => new RegExp(JSON.parse(pattern) as string, 'u')).not.toThrow();
  }
});
