import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { toManifest } from '../../src/config/manifest.ts';
import { readVersionedManifest } from '../../tools/build/read-manifest.ts';
import { readConfig, withAcme } from '../support/samples.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
/** The permissions that docs/store/permissions.md has a row for. */
const justified = [...read('docs/store/permissions.md').matchAll(/^\| `([\w.]+)` +\| +[^| ]/gm)].map(
  ([, name = '']) => name,
);

/** Latchkey's own. A feature may have more. */
const own = ['identity', 'storage', 'host_permissions'];

const asked = (['chrome', 'firefox'] as const).flatMap((browser) => {
  const manifest = toManifest(readVersionedManifest(), readConfig(withAcme({})), browser);
  const { permissions = [] } = manifest as { readonly permissions?: readonly string[] };
  return [...permissions, ...(manifest.host_permissions.length > 0 ? ['host_permissions'] : [])];
});

test('docs/store/permissions.md justifies what the built extension asks for by itself, and nothing else', () => {
  expect(asked).toEqual(expect.arrayContaining(own));
  expect(justified).toEqual(expect.arrayContaining(own));
  expect(asked).toEqual(expect.arrayContaining(justified));
});

test('manifest.json declares the data that docs/store/data.md explains', () => {
  const [, , section = ''] = read('docs/store/data.md').split(/^## /m);
  const explained = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, type]) => type);
  const { gecko } = readVersionedManifest().browser_specific_settings as {
    readonly gecko: { readonly data_collection_permissions?: { readonly required?: readonly string[] } };
  };
  expect(explained).toEqual(expect.arrayContaining(['authenticationInfo', 'personallyIdentifyingInfo']));
  expect(gecko.data_collection_permissions?.required).toEqual(expect.arrayContaining(explained));
});

test.each(readdirSync(join(root, 'docs/store')))('%s marks what a team has to fill in in one way', (file) => {
  const text = read(`docs/store/${file}`);
  expect(text.split('‹')).toHaveLength(text.split('›').length);
  expect(text).not.toMatch(/\bTODO\b|\[your |<your /i);
});
