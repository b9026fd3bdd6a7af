// The versions of Node that the project promises: one range, in package.json, which the documents agree with.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');

const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>;
};

/** The oldest version of each part of the range. */
const oldest = engines.node.split('||').map((part) => part.trim().replace(/^(?:\^|>=)/, ''));

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
