// A regular expression can take time that grows with the square of its input, and no timeout interrupts it.
// `npm run bench` shows the times; this finds the form that causes them.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** The gallery is for developers only, and no build that ships contains it. The feature is the adopter's. */
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/^(?:gallery|feature)\b/.test(file),
);

/** A regular expression in the code, after something that an operand follows. */
const literal = /[(,=:[!&|?{};>]\s*\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/g;

const expressions = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(literal)].map(([, source = '', flags = '']) => ({
    file,
    source,
    flags,
  })),
);

const unbounded = /(?:[*+]|\{\d+,\})\??/;

/** Each alternative of the outermost level, with its character classes and escapes replaced by one letter. */
function toAlternatives(source: string): string[] {
  const plain = source.replace(/\[(?:[^\]\\]|\\.)*\]|\\p\{[^}]*\}|\\u[\da-f]{4}|\\./gi, 'x');
  let depth = 0;
  const alternatives = [''];
  for (const character of plain) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === '|' && depth === 0) alternatives.push('');
    else alternatives[alternatives.length - 1] += character;
  }
  return alternatives;
}

/**
 * Whether each search surely takes one pass: one part repeats without bound, and either there is one place to start, or
 * nothing is required after that part.
 */
function isLinear({ source, flags }: { readonly source: string; readonly flags: string }): boolean {
  return toAlternatives(source).every((alternative) => {
    const [, ...after] = alternative.split(unbounded);
    if (after.length > 1) return false;
    if (alternative.startsWith('^') && !flags.includes('m')) return true;
    return after.every((rest) => rest.replace(/\)/g, '') === '');
  });
}

/** Anchored at both ends, with separators that the parts between them cannot contain, so there is one way to match. */
const proven = [
  '^[a-z\\d-]+(\\.[a-z\\d-]+)*$',
  '^[!#-[\\]-~]+( [!#-[\\]-~]+)*$',
  '^([!#-[\\]-~]+( [!#-[\\]-~]+)*)?$',
  '^[!-~]+( [!-~]+)*$',
  '^[A-Za-z][A-Za-z\\d+.-]*:[^#\\s]+$',
];

test('this test finds the regular expressions', () => {
  expect(expressions.length).toBeGreaterThan(25);
  expect(expressions.map(({ source }) => source)).toEqual(expect.arrayContaining(proven));
});

test.each([
  [/a+/, true],
  [/^a+$/, true],
  [/^.*@/s, true],
  [/a|b+/, true],
  [/\?\S*/, true],
  [/(?:a|b)+/, true],
  [/a+b/, false],
  [/a{2,}b/, false],
  [/^a*$/m, false],
  [/<(script|style)\b.*?<\/\1>|<[^>]*>/, false],
  [/^(a+)+$/, false],
  [/^a*a*$/, false],
  [/not.*brand/, false],
])('this test knows whether %s is linear', (expression, expected) => {
  expect(isLinear(expression)).toBe(expected);
});

test('no regular expression in the code takes more than linear time', () => {
  const strays = expressions.filter((one) => !proven.includes(one.source) && !isLinear(one));
  expect(strays).toEqual([]);
});

test('no regular expression is made of text', () => {
  const makers = files.filter((file) => /\bRegExp\(/.test(readFileSync(join(src, file), 'utf8')));
  // Its parts are a closed list of words.
  expect(makers).toEqual([join('oidc', 'diagnosis.ts')]);
});
