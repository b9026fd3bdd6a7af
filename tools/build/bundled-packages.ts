// Finds the packages whose code is in a build, and writes their licences into it.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** The build's file with the licences of the packages in it. */
const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/** A package whose code is in a build. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** Its SPDX expression, such as "MIT"; null if it names none. */
  readonly licence: string | null;
  /** Its folder, written with `/`: relative to the project, as package-lock.json names it, or elsewhere if it is linked. */
  readonly folder: string;
  /** The text of its licence; null if it has none. */
  readonly text: string | null;
}

/**
 * Adds {@link noticesFile} to a build, with the licences of all packages that have code in it. Calls `onPackages` with
 * them.
 */
export function thirdPartyNotices(
  root: string,
  onPackages: (packages: readonly BundledPackage[]) => void = () => undefined,
): Plugin {
  return {
    name: 'third-party-notices',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const ids = Object.values(bundle).flatMap((output) =>
          output.type === 'chunk' ? output.moduleIds : [],
        );
        const packages = findPackages(ids, root);
        onPackages(packages);
        this.emitFile({
          type: 'asset',
          fileName: noticesFile,
          source: toNotices(readLicence(root), packages),
        });
      },
    },
  };
}

/** Returns the packages of the modules with these ids, sorted by folder. A module of this project is in none. */
export function findPackages(moduleIds: readonly string[], root: string): readonly BundledPackage[] {
  const folders = moduleIds.flatMap((id) => toFolder(id, root) ?? []);
  return [...new Set(folders)].toSorted().map((folder) => readPackageAt(folder, root));
}

/** The bundler adds code of its own, which no file of the bundle's modules holds. */
const ownModule = /^\0(vite|rolldown)\//;

function toFolder(id: string, root: string): string | null {
  const [path = ''] = id.split('?', 1);
  const [, tool] = ownModule.exec(path) ?? [];
  if (tool !== undefined) {
    const places = [`node_modules/${tool}`, `node_modules/vite/node_modules/${tool}`];
    return places.find((folder) => existsSync(join(root, folder))) ?? null;
  }
  // The greedy beginning finds the innermost package.
  const [, before, name] = /^(.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(toSlashes(path)) ?? [];
  if (name === undefined) return null;
  const parent = (before ?? '').replace(`${toSlashes(root)}/`, '');
  return `${parent}node_modules/${name}`;
}

/** Windows separates the parts of a path with backslashes. */
function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

function readPackageAt(folder: string, root: string): BundledPackage {
  const path = resolve(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Readonly<
    Record<string, unknown>
  >;
  const licence = typeof license === 'string' ? license : null;
  return { name: String(name), version: String(version), licence, folder, text: readLicence(path) };
}

function readLicence(folder: string): string | null {
  const names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(name));
  if (names.length === 0) return null;
  const texts = names.toSorted().map((name) => readFileSync(join(folder, name), 'utf8'));
  // Vite appends the licences of what it consists of itself, which is in no build.
  const [own = ''] = texts.join('\n\n').split(/^# Licenses of bundled dependencies$/m);
  return own.replaceAll('\r\n', '\n').trim();
}

/**
 * Writes the notices: the licence of the extension itself, and then each licence once, below the packages that have it. The
 * same packages give the same text.
 */
export function toNotices(own: string | null, packages: readonly BundledPackage[]): string {
  const byText = new Map<string, BundledPackage[]>();
  for (const each of packages) {
    const text = each.text ?? 'The package contains no text of its licence.';
    byText.set(text, [...(byText.get(text) ?? []), each]);
  }
  const sections = [...byText].map(([text, having]) => {
    const names = having.map(({ name, version, licence }) => `${name} ${version} (${licence ?? 'unknown'})`);
    return `${names.join('\n')}\n\n${text}\n`;
  });
  const first = own === null ? [] : [`${own}\n`];
  return [...first, intro, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}

const intro =
  'It contains code of the packages below. Each stands under the licence that follows its name.\n';
