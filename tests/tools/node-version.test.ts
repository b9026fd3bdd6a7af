// The versions of Node that the project promises: one range, in package.json, which every package and document agrees with.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');

interface LockedPackage {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
}

const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** The oldest version of each part of the range. */
const oldest = engines.node.split('||').map((part) => part.trim().replace(/^(?:\^|>=)/, ''));

/** Whether a version is in a range, in the forms that packages use. */
function isIn(version: string, range: string): boolean {
  const parts = range.replaceAll(/([<>=^~]+)\s+/g, '$1').split('||');
  return parts.some((part) => {
    const comparators = part.trim().split(/\s+/);
    return comparators.every((comparator) => isWithin(version, comparator));
  });
}

function isWithin(version: string, comparator: string): boolean {
  const [, sign = '', bound = ''] = /^([<>=^~]*)(.*)$/.exec(comparator) ?? [];
  const numbers = bound
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map(Number);
  const own = version.split('.').map(Number);
  const order =
    numbers.map((number, index) => (own[index] ?? 0) - number).find((difference) => difference !== 0) ?? 0;
  if (numbers.length === 0) return true;
  if (sign === '>=') return order >= 0;
  if (sign === '<=') return order <= 0;
  if (sign === '<') return order < 0;
  if (sign === '>') return order > 0;
  if (sign === '^') return order >= 0 && own[0] === numbers[0];
  return order === 0;
}

test.each(oldest)('every package runs on Node %s, which package.json promises', (version) => {
  const refusing = Object.entries(packages)
    .filter(([, { optional }]) => optional !== true)
    .filter(([, { engines: needed }]) => !isIn(version, needed?.node ?? '*'))
    .map(([name, { engines: needed }]) => `${name}: ${needed?.node}`);
  expect(refusing).toEqual([]);
});

test('.nvmrc names a version that package.json promises', () => {
  expect(oldest.map((version) => version.split('.')[0])).toContain(read('.nvmrc').trim());
});

test('the lock file promises the same versions as package.json', () => {
  expect(packages['']?.engines).toEqual(engines);
});

test.each(['README.md', 'CONTRIBUTING.md'])('%s names the versions of package.json', (file) => {
  const [first = '', second = '', last = ''] = oldest.map((version) => version.replace(/(?:\.0)+$/, ''));
  expect(read(file).replaceAll(/\s+/g, ' ')).toContain(`Node ${first}+, ${second}+ or ${last}+`);
});
