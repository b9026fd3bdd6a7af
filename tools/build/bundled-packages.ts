// Finds the packages whose code is in a build, writes their licenses into it, and lists them in a software bill of materials
// (CycloneDX 1.5).

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const noticesFile = 'THIRD-PARTY-NOTICES.txt';
/** Vite's list of them, which leaves out its own code. */
const listFile = 'licences.json';

/** A package whose code is in a build, as Vite describes it. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its license, such as "MIT". */
  readonly identifier?: string;
  readonly text?: string;
}

/**
 * Adds {@link noticesFile} to a build, with the licenses of all packages that have code in it. Calls `onPackages` with
 * them.
 */
export function thirdPartyNotices(
  root: string,
  onPackages: (packages: readonly BundledPackage[]) => void = () => undefined,
): Plugin {
  return {
    name: 'third-party-notices',
    apply: 'build',
    config: () => ({ build: { license: { fileName: listFile } } }),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const list = bundle[listFile];
        if (list?.type !== 'asset') throw new Error('Vite has listed no licenses.');
        delete bundle[listFile];
        const ids = Object.values(bundle).flatMap((output) =>
          output.type === 'chunk' ? output.moduleIds : [],
        );
        const listed = JSON.parse(String(list.source)) as readonly BundledPackage[];
        const packages = [...listed, ...findHelpers(ids, join(root, 'node_modules'))];
        onPackages(packages);
        const licence = join(root, 'LICENSE');
        const own = existsSync(licence) ? readFileSync(licence, 'utf8') : 'Notices of third parties\n';
        const source = toNotices(own, packages);
        this.emitFile({ type: 'asset', fileName: noticesFile, source });
      },
    },
  };
}

/** The packages of the helpers with which the bundler joins modules. */
function findHelpers(moduleIds: readonly string[], packages: string): readonly BundledPackage[] {
  const used = ['rolldown', 'vite'].filter((name) => moduleIds.some((id) => id.startsWith(`\0${name}/`)));
  return used.map((name) => {
    const folder = join(packages, name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly version: string;
      readonly license: string;
    };
    const file = readdirSync(folder).find((each) => each.startsWith('LICENSE')) ?? '';
    // Vite appends the licenses of its own parts, which aren't in any build.
    const [text = ''] = readFileSync(join(folder, file), 'utf8').split(/^# Licenses of bundled/m);
    return { name, version, identifier: license, text: text.trim() };
  });
}

/** Writes the notices: the license of the extension itself, and then those of the packages. */
export function toNotices(own: string, packages: readonly BundledPackage[]): string {
  const sections = packages.map(({ name, version, identifier = 'unknown', text }) => {
    return `${name} ${version} (${identifier})\n\n${text ?? 'The package contains no text of its licence.'}\n`;
  });
  const intro =
    'It contains code of the packages below. Each stands under the license that follows its name.\n';
  return [own, intro, ...sections].join(`\n${'-'.repeat(80)}\n\n`).replaceAll('\r\n', '\n');
}

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
