import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { readFolder } from '../../tools/build/zip.ts';
import { writeFiles } from '../../tools/files.ts';
import { makeFolder } from '../support/folder.ts';
import { acme } from '../support/samples.ts';

const manifest = {
  manifest_version: 3,
  name: 'Notes',
  icons: { 48: 'icons/48.png' },
  background: { service_worker: 'background.js', scripts: ['./vendor/latchkey/worker.js', 'background.js'] },
  browser_specific_settings: { gecko: { id: 'notes@acme.example' } },
  permissions: ['alarms'],
};
const options = { out: 'vendor/latchkey', config: 'latchkey.json' };
const files = {
  'latchkey.json': JSON.stringify({ providers: [acme] }),
  'manifest.json': JSON.stringify(manifest),
  'background.js': '',
  'icons/48.png': '',
};

test('an extension without a bundler gets a script for its worker, a module for its pages, and manifests', async () => {
  const root = makeFolder(files);
  const written = await writeFiles({ root, ...options });
  const read = (name: string) => readFileSync(join(root, options.out, name), 'utf8');
  expect(written).toEqual(
    ['worker.js', 'session.js', 'manifest.chrome.json', 'manifest.firefox.json'].map(
      (name) => `vendor/latchkey/${name}`,
    ),
  );
  expect([...readFolder(join(root, options.out)).keys()].toSorted()).toEqual(
    written.map((path) => path.replace('vendor/latchkey/', '')).toSorted(),
  );
  // `importScripts` and Firefox's `background.scripts` load scripts, not modules.
  expect(() => new Script(read('worker.js'))).not.toThrow();
  expect(read('worker.js')).toContain(acme.issuer);
  expect(read('session.js')).toMatch(/export \{ FetchRefused, connectFeature, observeSession \};\s*$/);
  expect(JSON.parse(read('manifest.firefox.json'))).toMatchObject({
    ...manifest,
    permissions: ['alarms', 'identity', 'storage'],
    host_permissions: [`${acme.issuer}/*`],
  });
});

test('a manifest that names a file that is not there is refused, with its place', async () => {
  const { 'icons/48.png': _icon, ...others } = files;
  const root = makeFolder(others);
  await expect(writeFiles({ root, ...options })).rejects.toThrow(
    /^manifest\.json: icons\.48: "icons\/48\.png": there is no such file$/,
  );
  expect([...readFolder(root).keys()].toSorted()).toEqual(Object.keys(others).toSorted());
});
