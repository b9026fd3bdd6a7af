// The packages that the project depends on: their licenses, their hashes, and what the documents say about them.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const { packages } = readJson('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };
const locked = Object.entries(packages).filter(([folder]) => folder !== '');
const runtime = Object.keys((readJson('package.json') as { dependencies: object }).dependencies);

/** The folder of the package `name` that a package in `folder` imports. */
function resolveFrom(folder: string, name: string): string {
  const own = `${folder}/node_modules/${name}`;
  if (own in packages) return own;
  const parent = folder.lastIndexOf('/node_modules/');
  return parent === -1 ? `node_modules/${name}` : resolveFrom(folder.slice(0, parent), name);
}

/** The runtime dependencies, with theirs. */
const shipped = new Set<string>();
const visit = (folder: string) => {
  if (shipped.has(folder)) return;
  shipped.add(folder);
  for (const name of Object.keys(packages[folder]?.dependencies ?? {})) visit(resolveFrom(folder, name));
};
for (const name of runtime) visit(`node_modules/${name}`);

const permissive = '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT Zlib'.split(' ');
/** Its sources must stay available, which an unchanged package of npm grants. */
const shippable = [...permissive, 'MPL-2.0'];
/** `BSD` is what an old package calls its two clauses; CC-BY-4.0 is for data. */
const usable = [...shippable, 'BSD', 'CC-BY-4.0', 'Python-2.0'];

/** Whether an SPDX expression without nested brackets asks for nothing but licences of the list. */
function allows(list: readonly string[], expression = ''): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((licence) => list.includes(licence)));
}

const describeLicence = ([folder, { license }]: readonly [string, Locked]) => `${folder}: ${license}`;

test('docs/supply-chain.md lists the runtime dependencies, with their licenses', () => {
  const document = readFileSync(join(root, 'docs/supply-chain.md'), 'utf8');
  const rows = [...document.matchAll(/^\| `([\w@/-]+)` +\| ([^|]+?) +\|/gm)].map(([, ...cells]) => cells);
  const expected = runtime.map((name) => [name, packages[`node_modules/${name}`]?.license]);
  // A team's feature may have packages of its own.
  expect(rows.length).toBeGreaterThan(5);
  expect(expected).toEqual(expect.arrayContaining(rows));
});

test('every package that the extension may contain has a permissive license', () => {
  const found = locked.filter(([folder, { license }]) => shipped.has(folder) && !allows(shippable, license));
  expect(shipped.has('node_modules/scheduler')).toBe(true);
  expect(found.map(describeLicence)).toEqual([]);
});

test('every package of the tools has a license that is known', () => {
  expect(locked.filter(([, { license }]) => !allows(usable, license)).map(describeLicence)).toEqual([]);
});

test('no package runs a script when it is installed', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  // esbuild's script only makes its command start sooner.
  const withScripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(withScripts.map(([folder]) => folder)).toEqual(['node_modules/esbuild']);
});

test('every package is locked by its hash', () => {
  expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
});

test('a sample with packages of its own takes them as of one day, and runs none of their scripts', () => {
  const settings = readFileSync(join(root, 'tests/samples/wxt/.npmrc'), 'utf8');
  expect(settings).toMatch(/^before=\d{4}-\d\d-\d\d$/m);
  expect(settings).toMatch(/^ignore-scripts=true$/m);
});
