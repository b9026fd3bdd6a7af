import { expect, test } from 'vitest';
import type { BundledPackage } from '../../../tools/build/bundled-packages.ts';
import { toSbom } from '../../../tools/build/sbom.ts';

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
const read = (packages: readonly BundledPackage[]) =>
  JSON.parse(toSbom(product, packages, lockfile)) as Record<string, unknown>;

test('a bill of materials names each package with its version, licence and hash', () => {
  expect(read([one, scoped])).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { type: 'application', ...product } },
    components: [
      {
        type: 'library',
        name: '@acme/two',
        version: '2.0.0',
        purl: 'pkg:npm/%40acme/two@2.0.0',
        licenses: [{ expression: '(MIT OR ISC)' }],
      },
      {
        type: 'library',
        name: 'one',
        version: '1.0.0',
        purl: 'pkg:npm/one@1.0.0',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: '010203' }],
      },
    ],
    dependencies: [
      { ref: 'pkg:npm/latchkey@0.1.0', dependsOn: ['pkg:npm/%40acme/two@2.0.0', 'pkg:npm/one@1.0.0'] },
    ],
  });
});

test('a package without a licence or a known hash is listed without them', () => {
  const { components } = read([{ name: 'one', version: '3.0.0' }]);
  const purl = 'pkg:npm/one@3.0.0';
  expect(components).toEqual([{ type: 'library', 'bom-ref': purl, name: 'one', version: '3.0.0', purl }]);
});

test('a package inside another one has a hash of its own', () => {
  expect(read([{ ...one, version: '1.5.0' }])).toMatchObject({
    components: [{ name: 'one', hashes: [{ content: '040506' }] }],
  });
});

test('the same packages give the same bytes, in whatever order, without a time, a random number or a registry', () => {
  const text = toSbom(product, [one, scoped], lockfile);
  expect(toSbom(product, [scoped, one], lockfile)).toBe(text);
  expect(text).not.toMatch(/timestamp|serialNumber|registry|resolved/);
});
