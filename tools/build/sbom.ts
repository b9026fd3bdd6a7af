// Writes a software bill of materials (CycloneDX 1.5) of the packages in a build.

import type { BundledPackage } from './bundled-packages.ts';

/** The part of package-lock.json that says what a package's archive hashes to. */
export interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
}

type Product = Pick<BundledPackage, 'name' | 'version'>;

/**
 * Returns the JSON text. `npm sbom` only reads the lock file, and leaves out what a development dependency needs too, such as
 * React; this lists what is in the build. It has no time and no random number, so the same packages give the same bytes,
 * and it names no registry.
 */
export function toSbom(product: Product, packages: readonly BundledPackage[], lockfile: Lockfile): string {
  const components = packages
    .map(({ name, version, identifier }) => ({
      type: 'library',
      'bom-ref': toPackageUrl({ name, version }),
      name,
      version,
      ...(identifier !== undefined && { licenses: [toLicence(identifier)] }),
      purl: toPackageUrl({ name, version }),
      ...toHashes({ name, version }, lockfile),
    }))
    .toSorted((one, other) => (one.purl < other.purl ? -1 : 1));
  const ref = toPackageUrl(product);
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': ref, name: product.name, version: product.version },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** The package URL (purl) of a package on npm. */
function toPackageUrl({ name, version }: Product): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function toLicence(expression: string): object {
  return /^[\w.+-]+$/.test(expression) ? { license: { id: expression } } : { expression };
}

/** Finds a package's hash in the lock file, which has it in base64, as CycloneDX writes it. */
function toHashes({ name, version }: Product, { packages }: Lockfile): object {
  const [, found] =
    Object.entries(packages).find(
      ([folder, locked]) => folder.endsWith(`node_modules/${name}`) && locked.version === version,
    ) ?? [];
  const [, digest] = /^sha512-(.+)$/.exec(found?.integrity ?? '') ?? [];
  if (digest === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
}
