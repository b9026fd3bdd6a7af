// Keeps docs/configuration-reference.md in step with the schema and the readers.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FormatConfig } from 'oxfmt';
import { expect, test } from 'vitest';
import { referencePage, toReferencePage } from '../../tools/configuration-page.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

test('docs/configuration-reference.md says what the schema says; tools/configuration.ts writes it', async () => {
  const style = JSON.parse(read('.oxfmtrc.json')) as FormatConfig;
  expect(read(referencePage)).toBe(await toReferencePage(style));
});
