import { expect, test } from 'vitest';
import { toSbom, type BundledPackage } from '../../../tools/build/bundled-packages.ts';
import { describeOutcomes } from '../../support/outcomes.ts';

const one: BundledPackage = { name: 'one', version: '1.0.0', identifier: 'MIT' };
const scoped: BundledPackage = { name: '@acme/two', version: '2.0.0', identifier: '(MIT OR ISC)' };
const lockfile = {
  packages: {
    'node_modules/one': { version: '1.0.0', integrity: 'sha512-AQID' },
    'node_modules/@acme/two': { version: '2.0.0', integrity: 'sha1-AQID' },
    'node_modules/@acme/two/node_modules/one': { version: '1.5.0', integrity: 'sha512-BAUG' },
  },
};
const product = { name: 'latchkey', version: '0.1.0' };

test('a bill of materials names each package with its version, licence and hash, where they are known', async () => {
  const bills = describeOutcomes({
    'two packages': () => toSbom(product, [one, scoped], lockfile),
    'a package without a licence or a known hash': () =>
      toSbom(product, [{ name: 'one', version: '3.0.0' }], lockfile),
    'a package inside another one, with a hash of its own': () =>
      toSbom(product, [{ ...one, version: '1.5.0' }], lockfile),
  });
  await expect(bills).toMatchFileSnapshot('sbom.txt');
});

test('the same packages give the same bytes, in whatever order, without a time, a random number or a registry', () => {
  const text = toSbom(product, [one, scoped], lockfile);
  expect(toSbom(product, [scoped, one], lockfile)).toBe(text);
  expect(text).not.toMatch(/timestamp|serialNumber|registry|resolved/);
});
