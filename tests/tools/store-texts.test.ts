import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { toManifest } from '../../src/config/manifest.ts';
import { readVersionedManifest } from '../../tools/build/read-manifest.ts';
import { findUnjustified, justificationsFile, readJustified } from '../../tools/store-texts.ts';
import { readConfig, withAcme } from '../support/samples.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const justifications = read(justificationsFile);

/** Latchkey's own. A feature may have more. */
const own = ['identity', 'storage'];

const built = (['chrome', 'firefox'] as const).map((browser) => {
  const manifest: object = toManifest(readVersionedManifest(), readConfig(withAcme({})), browser);
  return [browser, manifest as Readonly<Record<string, unknown>>] as const;
});

test.each(built)(
  'docs/store/permissions.md justifies what the built extension asks for by itself: %s',
  (_, manifest) => {
    expect(manifest['permissions']).toEqual(expect.arrayContaining(own));
    const ofFeature = (manifest['permissions'] as string[]).filter((name) => !own.includes(name));
    const unjustified = findUnjustified(manifest, justifications);
    expect(unjustified.filter((name) => !ofFeature.includes(name))).toEqual([]);
  },
);

test('docs/store/permissions.md justifies nothing that no browser is asked for', () => {
  const rows = readJustified(justifications);
  // A document without rows has one missing for each permission that is asked for.
  const asked = built.flatMap(([, manifest]) => findUnjustified(manifest, ''));
  expect(rows.filter((name) => !asked.includes(name))).toEqual([]);
});

test('a permission without a row, or with an empty one, is named', () => {
  const document = '| `storage` | Because. |\n| `alarms` | |\n';
  const manifest = {
    permissions: ['storage', 'alarms'],
    optional_permissions: ['tabs', 'storage'],
    host_permissions: ['https://a.example/*'],
    optional_host_permissions: [],
  };
  expect(findUnjustified(manifest, document)).toEqual(['alarms', 'tabs', 'host_permissions']);
  expect(findUnjustified({}, document)).toEqual([]);
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
