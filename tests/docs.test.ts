// What the documentation says of the tests and of the files is true.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

const claims = [...read('docs/security.md').matchAll(/`(tests\/[^`]+)` «([^»]*)»/g)].map(
  ([, file = '', title = '']) => [file, title] as const,
);

test('the page on security names its tests', () => {
  expect(claims.length).toBeGreaterThan(20);
});

test.each(claims)('%s has the test «%s» that the page on security relies on', (file, title) => {
  expect(title).not.toBe('');
  // A row of the table of faults is named by its number alone.
  const fault = /^F(\d+)$/.exec(title);
  expect(read(file)).toContain(fault === null ? title : `\n  ${fault[1]}: {`);
});

test('every relative link of the documentation leads to a file', () => {
  for (const page of ['README.md', 'docs/security.md']) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => read(resolve(root, page, '..', target)), `${page} → ${target}`).not.toThrow();
    }
  }
});
