import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseManifest } from '../../tools/build/read-manifest.ts';

const text = readFileSync('manifest.json', 'utf8');
const shipped: unknown = JSON.parse(text);
const change = (members: object) => JSON.stringify(Object.assign({}, shipped, members));

test('the shipped manifest is read as it is', () => {
  expect(parseManifest(text)).toEqual(shipped);
});

const worker = 'expected the path of the worker\'s module, "src/background/main.ts"';
const firefox = 'expected the oldest version of Firefox, such as "142.0"';

test.each([
  [
    'a missing comma',
    text.replace('3,', '3'),
    /^manifest\.json:3:3: not JSON: expected "," or a closing bracket$/,
  ],
  ['a comment', `// ours\n${text}`, /^manifest\.json:1:1: not JSON: expected JSON without comments$/],
  [
    'a key twice',
    text.replace('"version"', '"name"'),
    /^manifest\.json:4:3: name: duplicate key, which is also at 3:3; /,
  ],
  ['nothing', '', /^manifest\.json: found an empty file; expected JSON$/],
  ['null', 'null', /^manifest\.json:1:1: found null; expected an object$/],
  ['no background', change({ background: undefined }), `manifest.json:1:1: background: missing; ${worker}`],
  [
    'a background page',
    change({ background: { page: 'x.html' } }),
    `: background.service_worker: missing; ${worker}`,
  ],
  [
    'a version that is a number',
    change({ minimum_chrome_version: 148 }),
    ': minimum_chrome_version: found 148; expected the oldest version of Chrome, such as "148"',
  ],
  [
    'no settings for Firefox',
    change({ browser_specific_settings: {} }),
    `: browser_specific_settings.gecko: missing; ${firefox}`,
  ],
  [
    'no version of Firefox',
    change({ browser_specific_settings: { gecko: { id: 'a@b' } } }),
    `: browser_specific_settings.gecko.strict_min_version: missing; ${firefox}`,
  ],
])('a manifest with %s is refused with the place', (_what, manifest, told) => {
  expect(() => parseManifest(manifest)).toThrow(told);
});
