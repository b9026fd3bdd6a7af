import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findPackages, toNotices, type BundledPackage } from '../../../tools/build/bundled-packages.ts';

const root = resolve(import.meta.dirname, '../../..');
const namesOf = (...ids: string[]) => findPackages(ids, root).map(({ name }) => name);
const at = (path: string) => join(root, 'node_modules', path);

test('the packages of modules are found once each, in one order, however a copy is marked', () => {
  expect(
    namesOf(
      at('valibot/dist/index.mjs?worker-script'),
      at('react/index.js'),
      at('react/cjs/react.production.js'),
      at('@crxjs/vite-plugin/dist/index.mjs'),
    ),
  ).toEqual(['@crxjs/vite-plugin', 'react', 'valibot']);
});

test('modules of the project, and those that a plugin writes, are in no package', () => {
  expect(
    namesOf(join(root, 'src/background/main.ts'), '\0latchkey:config', '\0webextension-polyfill?first'),
  ).toEqual([]);
});

test('the code that the bundler adds belongs to its package', () => {
  expect(namesOf('\0vite/preload-helper.js', '\0rolldown/runtime.js')).toEqual(['rolldown', 'vite']);
});

test('a package of a package is told apart by its folder', () => {
  const outer = findPackages([at('react-dom/index.js')], root);
  const inner = () => findPackages([at('react-dom/node_modules/react/index.js')], root);
  expect(outer[0]?.folder).toBe('node_modules/react-dom');
  // It is looked for where the module is.
  expect(inner).toThrow('react-dom/node_modules/react');
});

test('a package is described by its own files', () => {
  const [idb] = findPackages([at('idb/build/index.js')], root);
  const { version } = JSON.parse(readFileSync(at('idb/package.json'), 'utf8')) as { version: string };
  expect(idb).toMatchObject({ name: 'idb', version, licence: 'ISC', folder: 'node_modules/idb' });
  expect(idb?.text).toContain('ISC License');
});

test('the licence of a package that bundles others ends where theirs begin', () => {
  const [vite] = findPackages(['\0vite/preload-helper.js'], root);
  expect(vite?.text).toContain('VoidZero');
  expect(vite?.text).not.toContain('# Bundled dependencies');
});

const one: BundledPackage = {
  name: 'one',
  version: '1.0.0',
  licence: 'MIT',
  folder: 'node_modules/one',
  text: 'The text.',
};

test('the notices have the extension’s licence, and each of the others once, below the packages that have it', () => {
  const bare = { ...one, name: 'bare', licence: null, text: null };
  const notices = toNotices('Ours.', [one, { ...one, name: 'two', version: '2.0.0' }, bare]);
  expect(notices).toMatch(/^Ours\.\n/);
  expect(notices.split('The text.')).toHaveLength(2);
  expect(notices).toContain('one 1.0.0 (MIT)\ntwo 2.0.0 (MIT)\n\nThe text.\n');
  expect(notices).toContain('bare 1.0.0 (unknown)\n\nThe package contains no text of its licence.\n');
});
