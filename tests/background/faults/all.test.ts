// The faults are numbered. Some have another test in tests/browser/faults.test.ts, because only a real browser can
// cause them fully.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('every fault from F1 to F74 has one place in this folder, with its test or the place of its test', () => {
  const numbers = readdirSync(import.meta.dirname).flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    return [...text.matchAll(/^(?:test\('|\/\/ )F(\d+): /gm)].map(([, number]) => Number(number));
  });
  expect(numbers.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 74 }, (_, index) => index + 1),
  );
});
