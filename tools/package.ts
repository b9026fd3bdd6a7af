// Packs the extension for the stores: `npm run package`.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Config } from '../src/config/config.ts';
import { toManifest } from '../src/config/manifest.ts';
import { isLoopbackUrl } from '../src/session/secure-url.ts';
import { browserNames } from './browser/browsers.ts';
import type { BundledPackage } from './build/bundled-packages.ts';
import { FileError } from './build/parse-json.ts';
import { readConfigFile, toConfigPath } from './build/read-config.ts';
import { readPackage, readVersionedManifest } from './build/read-manifest.ts';
import { listUncommitted, readSourceFiles } from './build/read-sources.ts';
import { readJson, readText } from './build/read-text.ts';
import { type Lockfile, toSbom } from './build/sbom.ts';
import { type Files, readFolder, toZip } from './build/zip.ts';
import { buildExtension } from './build.ts';
import { isCommand, refuseOptionsKeptByNpm, runCommand, UsageError } from './command.ts';
import { examineConfig } from './doctor/examine.ts';
import { listErrors } from './doctor/print.ts';
import type { Report } from './doctor/report.ts';
import { readIdentity } from './product.ts';
import { type ExtensionIdentity, storesDiffer } from './redirect-uris.ts';
import { findUnjustified, justificationsFile } from './store-texts.ts';

const root = resolve(import.meta.dirname, '..');

export interface PackageOptions {
  /** Whether the package for Chrome keeps the `key` of manifest.json. The Chrome Web Store accepts only the key that it gave. */
  readonly withKey: boolean;
  /** The folder of the packages; `dist` by default. */
  readonly outDir?: string;
  /** The configuration's file; `LATCHKEY_CONFIG` or `src/config.json` by default. */
  readonly configPath?: string;
}

export interface Package {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes the packages: one for each browser, and the sources from which Firefox's was built; and a bill of materials, which
 * lists the third-party code in them. The same sources give the same bytes, wherever and whenever. Throws a
 * `FileError` if the configuration must not be shipped.
 */
export async function packageExtension(options: PackageOptions): Promise<readonly Package[]> {
  const configPath = options.configPath ?? toConfigPath();
  const config = readConfigFile(configPath);
  expectShippable(config, configPath);
  expectWorkable(await examineConfig({ config, configPath, network: null }));
  const { name, version } = readPackage();
  const outDir = options.outDir ?? join(root, 'dist');
  await makeFolder(outDir);
  // Before the builds, which take a while: a source that cannot be packed.
  const sources = readSources(readFileSync(resolve(root, configPath)));
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-package-'));
  try {
    const contents = new Map<string, Files>();
    const bundled = new Map<string, BundledPackage>();
    const onPackages = (found: readonly BundledPackage[]) => {
      for (const each of found) bundled.set(`${each.name}@${each.version}`, each);
    };
    for (const browser of browserNames) {
      const buildDir = join(folder, browser);
      await buildExtension({ browser, outDir: buildDir, configPath, onPackages });
      const files = readFolder(buildDir);
      contents.set(browser, browser === 'chrome' && !options.withKey ? withoutKey(files) : files);
    }
    contents.set('sources', sources);
    const lockfile = readJson(join(root, 'package-lock.json'), 'package-lock.json') as Lockfile;
    const sbom = toBytes(toSbom({ name, version }, [...bundled.values()], lockfile));
    const outputs = new Map([...contents].map(([part, files]) => [`-${part}.zip`, toZip(files)]));
    const packages: Package[] = [];
    for (const [ending, bytes] of [...outputs, ['.cdx.json', sbom] as const]) {
      const path = join(outDir, `${name}-${version}${ending}`);
      await writeFile(path, bytes);
      packages.push({ path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
    }
    return packages;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    throw new FileError([
      `${relative(root, path)}: ${isFile ? 'found a file' : `cannot be made (${code})`}; expected a folder for the packages`,
    ]);
  });
}

/** Throws a `FileError` if the configuration is one to develop with. */
export function expectShippable({ providers }: Config, configPath: string): void {
  const problems = providers.flatMap(({ issuer }, index) =>
    isLoopbackUrl(issuer)
      ? [
          `${configPath}: providers[${index}].issuer: found ${JSON.stringify(issuer)}, which is each person's own computer; ` +
            'expected the address of your provider, as "Name your provider" in README.md describes',
        ]
      : [],
  );
  if (providers.length === 0) problems.push(`${configPath}: providers: found none; expected at least one`);
  if (problems.length > 0) throw new FileError(problems);
}

/** Throws a `FileError` with the errors that the doctor finds without asking a provider. */
export function expectWorkable(report: Report): void {
  const problems = listErrors(report);
  if (problems.length > 0) throw new FileError(problems);
}

function withoutKey(files: Files): Files {
  const manifest = files.get('manifest.json');
  if (manifest === undefined) throw new Error('The build has no manifest.json.');
  const { key: _key, ...rest } = JSON.parse(new TextDecoder().decode(manifest)) as Record<string, unknown>;
  return new Map([...files, ['manifest.json', toBytes(`${JSON.stringify(rest, null, 2)}\n`)]]);
}

/**
 * The sources that addons.mozilla.org asks for: every file that git knows, with the configuration of these
 * packages in `src/config.json`, and how to build them.
 */
function readSources(config: Uint8Array): Files {
  const files = new Map(readSourceFiles(root));
  files.set('src/config.json', config);
  files.set('BUILDING.md', toBytes(describeBuild(readPackage())));
  return files;
}

/** Tells a reviewer how to build, in the file that the packed sources begin with. */
function describeBuild({ name, version }: ReturnType<typeof readPackage>): string {
  return `# Building ${name} ${version}

These are the complete sources of the package for Firefox. To build it:

1. Install Node.js ${process.versions.node} (https://nodejs.org). Linux, macOS and Windows will do.
2. In this folder run \`npm ci && npm run build\`.

\`dist/firefox\` then holds the same files as the package. \`package-lock.json\` fixes the version of every dependency; all
come from the npm registry. \`src/config.json\` is the configuration of this package. Vite bundles and minifies the code;
no other tool changes it, and none of it is obfuscated.
`;
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Reads `--with-key`, the only option. Throws a {@link UsageError}. */
export function readPackageOptions(
  args: readonly string[] = process.argv.slice(2),
  environment: Readonly<Record<string, string | undefined>> = process.env,
): PackageOptions {
  if (args.length === 0) refuseOptionsKeptByNpm(['with_key'], '--with-key', environment);
  const unknown = args.find((arg) => arg !== '--with-key');
  if (unknown !== undefined) throw new UsageError(`Unknown option: ${unknown}. Known is --with-key.`);
  return { withKey: args.length > 0 };
}

/** Lines about where the packages go. */
export function describeNext({ withKey }: Pick<PackageOptions, 'withKey'>): readonly string[] {
  if (!withKey) {
    return [
      'Upload the package for Chrome to the Chrome Web Store and Edge Add-ons, and the one for Firefox with the sources to addons.mozilla.org.',
      storesDiffer,
    ];
  }
  return [
    'The package for Chrome keeps the "key" of manifest.json, so a store accepts it only if that store issued the key.',
    'To host it on your own server, sign it as a .crx yourself: browsers install nothing else from there. The extension ID, and so the redirect URI, is derived from the signing key.',
    'Upload the package for Firefox with the sources to addons.mozilla.org.',
  ];
}

/** Lines about what the stores will ask and docs/store does not answer. A team may have removed those texts. */
function describeOpenQuestions(): readonly string[] {
  const path = join(root, justificationsFile);
  return existsSync(path) ? describeUnjustified(readText(path, justificationsFile)) : [];
}

/** One line for each permission of which `document` does not say why the extension needs it. */
export function describeUnjustified(document: string): readonly string[] {
  const unjustified = browserNames.flatMap((browser) =>
    findUnjustified({ ...toManifest(readVersionedManifest(), readConfigFile(), browser) }, document),
  );
  return [...new Set(unjustified)].map(
    (name) =>
      `${justificationsFile} does not say why the extension needs "${name}", and the stores ask for it.`,
  );
}

/** Lines about files that the last commit does not have so. */
export function describeUncommitted(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  return [
    `Not committed: ${files.join(', ')}. The packages may need them, and the sources leave out files that git does not track. ` +
      'Commit what belongs to the project, and pack again.',
  ];
}

/** The id of this project, which each copy has until `npm run rename` gives it another. */
const ownId = 'latchkey@latchkey.example';

/** Lines about an identity that every copy of the project has. */
export function describeIdentity({
  browser_specific_settings: settings,
}: ExtensionIdentity): readonly string[] {
  if (settings.gecko.id !== ownId) return [];
  return [
    "The IDs in manifest.json are Latchkey's own, and every copy has them. Run `npm run rename` to make yours before you upload.",
  ];
}

if (isCommand(import.meta.url)) {
  await runCommand(async () => {
    const options = readPackageOptions();
    for (const { path, bytes, sha256 } of await packageExtension(options)) {
      console.log(`${relative(root, path)}  ${bytes} bytes  SHA-256 ${sha256}`);
    }
    const further = [
      ...describeUncommitted(listUncommitted(root)),
      ...describeIdentity(readIdentity()),
      ...describeOpenQuestions(),
      ...describeNext(options),
    ];
    for (const line of further) console.log(line);
  });
}
