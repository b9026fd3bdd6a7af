import { expect, test } from 'vitest';
import { toSbom, type BundledPackage } from '../../../tools/build/bundled-packages.ts';

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

interface Bill {
  readonly metadata: { readonly component: object };
  readonly components: readonly object[];
  readonly dependencies: readonly object[];
}

const bill = (...packages: readonly BundledPackage[]) =>
  JSON.parse(toSbom(product, packages, lockfile)) as Bill;

test('a bill of materials names each package with its version, licence and hash, where they are known', () => {
  const { metadata, components, dependencies } = bill(one, scoped);
  expect(metadata.component).toMatchObject({ name: 'latchkey', version: '0.1.0' });
  const purls = ['pkg:npm/%40acme/two@2.0.0', 'pkg:npm/one@1.0.0'];
  expect(components).toEqual([
    expect.objectContaining({ purl: purls[0], licenses: [{ expression: '(MIT OR ISC)' }] }),
    expect.objectContaining({
      purl: purls[1],
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: '010203' }],
    }),
  ]);
  expect(components[0]).not.toHaveProperty('hashes');
  expect(dependencies).toEqual([{ ref: 'pkg:npm/latchkey@0.1.0', dependsOn: purls }]);
});

test('a package inside another one has a hash of its own, and what is unknown is left out', () => {
  expect(bill({ ...one, version: '1.5.0' }).components).toEqual([
    expect.objectContaining({ hashes: [{ alg: 'SHA-512', content: '040506' }] }),
  ]);
  const [unknown] = bill({ name: 'one', version: '3.0.0' }).components;
  expect(Object.keys(unknown ?? {})).toEqual(['type', 'bom-ref', 'name', 'version', 'purl']);
});

test('the same packages give the same bytes, in whatever order, without a time, a random number or a registry', () => {
  const text = toSbom(product, [one, scoped], lockfile);
  expect(toSbom(product, [scoped, one], lockfile)).toBe(text);
  expect(text).not.toMatch(/timestamp|serialNumber|registry|resolved/);
});
