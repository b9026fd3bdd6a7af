// Code that takes time that grows with the square of its input keeps a worker busy for minutes, and no timeout interrupts it.
// So no regular expression has a form that takes so long, and what else reads outside input is tried with a megabyte.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { judgePage } from '../src/oidc/why.ts';
import { readKeys, readMetadata } from '../src/oidc/discover.ts';
import { readRedirect } from '../src/oidc/redirect.ts';
import { readClaims } from '../src/oidc/jwt.ts';
import { isGranted, joinScopes } from '../src/oidc/authorize.ts';
import { toProfile, toTokenSet } from '../src/oidc/tokens.ts';
import { ProblemError } from '../src/session/problem.ts';
import { issuer, provider, redirectUri, toMetadata } from './support/scripted-provider.ts';

const root = resolve(import.meta.dirname, '..');

/** What reads outside input: the extension, without the adopter's feature, and the relay. */
const files = ['src', 'tools/relay'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^feature\b/.test(file))
    .map((file) => join(folder, file)),
);

/** A regular expression in the code, after something that an operand follows. */
const literal = /[(,=:[!&|?{};>]\s*\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/g;

const expressions = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(literal)].map(([, source = '', flags = '']) => ({
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

test('no regular expression in the code takes more than linear time', () => {
  const strays = expressions.filter((one) => !proven.includes(one.source) && !isLinear(one));
  expect(strays).toEqual([]);
});

test('no regular expression is made of text', () => {
  const makers = files.filter((file) => /\bRegExp\(/.test(readFileSync(join(root, file), 'utf8')));
  expect(makers).toEqual([]);
});

const registration = { redirectUri, clientId: 'client' };

const judgeText = (text: string, url: string = issuer) => judgePage({ status: 400, url, text }, registration);
const readDocument = (text: string) => {
  const algorithms = { id_token_signing_alg_values_supported: text.split(' ') };
  return readMetadata({ ...toMetadata(issuer), issuer: text, ...algorithms }, provider);
};
const readProfile = (text: string) => {
  const claims = { sub: 'ada', name: text, email: text, picture: `https://x/${text}` };
  return toProfile(
    { id: 'demo', issuerTemplate: null },
    claims,
    toTokenSet({ access_token: `${text}b`, token_type: 'bearer' }, 0),
  );
};

/** Each reads text that a provider chose: one of these parts, many times. A 0 in it becomes another number each time. */
const readers: readonly [name: string, parts: readonly string[], read: (text: string) => unknown][] = [
  ['a page', ['<', '<a', '<script>', '</script', '<script></style>', '<<script>>'], judgeText],
  ['the URL of a page', ['&a0=b', '%', '=&'], (text) => judgeText('', `${issuer}?${text}`)],
  ['a redirect', ['&a0=b', '%', '?', '/'], (text) => readRedirect(redirectUri, `${redirectUri}?${text}`)],
  ['a fragment', ['&a0=b', '%', '#'], (text) => readRedirect('', `#${text}`, 'fragment')],
  ['a scope', ['a0 ', ' ', '/a '], (text) => [isGranted('openid a', text), joinScopes('openid', text)]],
  ['claims', [' ', 'x\n', '\u202e', '\u{1f600}'], readProfile],
  ['a token', ['.', 'a', 'a.'], (text) => readClaims(`a.${text}.c`)],
  ['a discovery document', ['none ', 'x0 '], readDocument],
  ['keys', ['EC '], (text) => readKeys({ keys: text.split(' ').map((kty) => ({ kty })) })],
];

const cases = readers.flatMap(([name, parts, read]) => parts.map((part) => ({ name, part, read })));

test.each(cases)('a megabyte of $part takes little time in $name', ({ part, read }) => {
  let count = 0;
  const text = part.repeat(2 ** 20 / part.length).replaceAll('0', () => String((count += 1)));
  // Of the processor, however busy it is. In linear time it takes a quarter of this at most, and otherwise several times as long.
  const startedAt = process.cpuUsage();
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError);
  }
  const { user } = process.cpuUsage(startedAt);
  expect(user).toBeLessThan(10_000_000);
});
