import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readManifest, readPackage, readVersionedManifest } from '../../tools/build/read-manifest.ts';
import { makeFolder } from '../support/folder.ts';

const text = readFileSync('manifest.json', 'utf8');
const shipped: unknown = JSON.parse(text);
const readFrom = (manifest: string) => readManifest(makeFolder({ 'manifest.json': manifest }));
const change = (members: object) => JSON.stringify(Object.assign({}, shipped, members));

test('the shipped manifest is read as it is', () => {
  expect(readFrom(text)).toEqual(shipped);
});

const worker = 'expected the path of the worker\'s module, "src/background/main.ts"';
const withPage = change({ background: { page: 'x.html' } });
const ofFirefox = 'browser_specific_settings.gecko';
const firefox =
  'expected the settings for Firefox, such as { "gecko": { "id": "sign-in@acme.example", "strict_min_version": "142.0" } }';

const gecko = (settings: object) => change({ browser_specific_settings: { gecko: settings } });

test.each([
  ['a missing comma', text.replace('3,', '3'), /^manifest\.json:3:3: not JSON: expected "," or a closing/],
  ['a key twice', text.replace('"description"', '"name"'), /^manifest\.json:4:3: name: duplicate key, which/],
  ['null', 'null', /^manifest\.json:1:1: found null; expected an object$/],
  ['no background', change({ background: undefined }), `manifest.json:1:1: background: missing; ${worker}`],
  ['a background page', withPage, `: background.service_worker: missing; ${worker}`],
  [
    'a number',
    change({ minimum_chrome_version: 148 }),
    ': minimum_chrome_version: found 148; expected the oldest version of Chrome, such as "148"',
  ],
  [
    'a version of its own',
    change({ version: '1.0.0' }),
    ': version: found "1.0.0"; expected no version, because the build takes it from package.json; remove this key',
  ],
  ['nothing for Firefox', change({ browser_specific_settings: {} }), `: ${ofFirefox}: missing; ${firefox}`],
  ['no version of Firefox', gecko({ id: 'a@b' }), `: ${ofFirefox}.strict_min_version: missing; ${firefox}`],
  [
    'a version of Firefox that is none',
    gecko({ id: 'a@b', strict_min_version: 'new' }),
    `: ${ofFirefox}.strict_min_version: found "new"; expected the oldest version of Firefox, such as "142.0"`,
  ],
  ['no id for Firefox', gecko({ strict_min_version: '142.0' }), `: ${ofFirefox}.id: missing; ${firefox}`],
  ['a key that is a number', change({ key: 1 }), ': key: found 1; expected a public key in base64'],
  [
    'a key with the lines around it, from which Chrome makes another ID',
    change({ key: '-----BEGIN PUBLIC KEY-----MIIB-----END PUBLIC KEY-----' }),
    'expected a public key in base64, in one line and without "-----BEGIN PUBLIC KEY-----"',
  ],
])('a manifest with %s is refused with the place', (_what, manifest, told) => {
  expect(() => readFrom(manifest)).toThrow(told);
});

test('the manifest has the version of package.json', () => {
  expect(readVersionedManifest().version).toBe(readPackage().version);
});

test.each(['1.0.0', '2', '1.2.3.65535'])('the version %s is read from package.json', (version) => {
  expect(readPackage(makeFolder({ 'package.json': { name: 'acme', version } }))).toEqual({
    name: 'acme',
    version,
  });
});

test.each([['1.0.0-beta.1'], ['1.2.3.4.5'], ['01.2'], ['1.65536'], [''], [1], [undefined]])(
  'the version %j is refused with the place, because no browser accepts it',
  (version) => {
    expect(() => readPackage(makeFolder({ 'package.json': { name: 'acme', version } }))).toThrow(
      /^package\.json:1:\d+: version: (?:found .*|missing); expected one to four numbers up to 65535, such as "1\.0\.0", /,
    );
  },
);
