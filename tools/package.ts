// Packs the extension for the stores: `npm run package`.

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Config } from '../src/config/config.ts';
import { isLoopbackUrl } from '../src/session/secure-url.ts';
import { browserNames } from './browser/browsers.ts';
import { toSbom, type BundledPackage, type Lockfile } from './build/bundled-packages.ts';
import { parseConfig, toConfigPath } from './build/read-config.ts';
import { FileError, readJson, readText, root } from './build/read-text.ts';
import { readManifest, readPackage } from './build/read-manifest.ts';
import { listUncommitted, readSourceFiles } from './build/read-sources.ts';
import { type Files, readFolder, toZip } from './build/zip.ts';
import { buildExtension } from './build.ts';
import { readOptions, runIfStarted } from './command.ts';
import { examineConfig } from './doctor/examine.ts';
import { listErrors } from './doctor/print.ts';
import { network } from './doctor/world.ts';
import { storesDiffer } from './redirect-uris.ts';

export interface PackageOptions {
  /** Whether the package for Chrome keeps the `key` of manifest.json. The Chrome Web Store accepts only the key that it gave. */
  readonly withKey: boolean;
  /** The folder of the packages, and of the builds in them; `dist` by default. */
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
  const { outDir = join(root, 'dist'), configPath = toConfigPath() } = options;
  // Once, because the file may change while the builds take their time.
  const text = readText(configPath);
  const config = parseConfig(text, configPath, root);
  const { name, version } = readPackage();
  // Before the builds too: a source that can't be packed.
  const sources = readSources(Buffer.from(text));
  await expectShippable(config, configPath);
  const outputs = new Map<string, Uint8Array>();
  const bundled = new Map<string, BundledPackage>();
  const onPackages = (found: readonly BundledPackage[]) => {
    for (const each of found) bundled.set(`${each.name}@${each.version}`, each);
  };
  for (const browser of browserNames) {
    const buildDir = join(outDir, 'package', browser);
    await buildExtension({ browser, outDir: buildDir, config, onPackages });
    const files = readFolder(buildDir);
    outputs.set(
      `-${browser}.zip`,
      toZip(browser === 'chrome' && !options.withKey ? withoutKey(files) : files),
    );
  }
  outputs.set('-sources.zip', toZip(sources));
  const lockfile = readJson('package-lock.json') as Lockfile;
  outputs.set('.cdx.json', Buffer.from(toSbom({ name, version }, [...bundled.values()], lockfile)));
  const packages: Package[] = [];
  for (const [ending, bytes] of outputs) {
    const path = join(outDir, `${name}-${version}${ending}`);
    await writeFile(path, bytes);
    packages.push({ path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return packages;
}

/**
 * Throws a `FileError` if the configuration is one to develop with, or the doctor knows that it can't work. It also asks a provider
 * that it knows to fail, because the host may have a second one.
 */
export async function expectShippable(config: Config, configPath: string, ask = network): Promise<void> {
  const problems = config.providers.flatMap(({ issuer }, index) =>
    isLoopbackUrl(issuer)
      ? [
          `${configPath}: providers[${index}].issuer: found ${JSON.stringify(issuer)}, which is each user's own computer; ` +
            'expected the address of your provider, as "Name your provider" in docs/configuration.md describes',
        ]
      : [],
  );
  if (problems.length > 0) throw new FileError(problems);
  const known = await examineConfig({ config, configPath, network: null });
  const failing = known.providers.map(({ findings }) =>
    findings.some(({ severity }) => severity === 'error'),
  );
  if (!failing.includes(true)) return;
  const asked = await examineConfig({ config, configPath, network: ask });
  const others = asked.providers.map((one, index) =>
    failing[index] === true ? one : { ...one, findings: [] },
  );
  const shown = listErrors({ ...asked, providers: others });
  const confirmed = listErrors(known).filter((error) => shown.includes(error));
  const errors = confirmed.length > 0 ? confirmed : shown;
  if (errors.length > 0) throw new FileError(errors);
}

function withoutKey(files: Files): Files {
  const { key: _key, ...rest } = JSON.parse(new TextDecoder().decode(files.get('manifest.json'))) as Record<
    string,
    unknown
  >;
  return new Map([...files, ['manifest.json', Buffer.from(`${JSON.stringify(rest, null, 2)}\n`)]]);
}

/**
 * The sources that addons.mozilla.org asks for: every file that git knows, with the configuration of these
 * packages in `src/config.json`, and how to build them.
 */
function readSources(config: Uint8Array): Files {
  const { name, version } = readPackage();
  const building = `# Building ${name} ${version}

These are the complete sources of the package for Firefox. To build it:

1. Install Node.js ${process.versions.node} (https://nodejs.org). Linux, macOS and Windows will do.
2. In this folder run \`npm ci && npm run build\`.

\`dist/firefox\` then holds the same files as the package. \`package-lock.json\` fixes the version of every dependency; all
come from the npm registry. \`src/config.json\` is the configuration of this package. Vite bundles and minifies the code;
no other tool changes it, and none of it is obfuscated.
`;
  return new Map([
    ...readSourceFiles(root),
    ['src/config.json', config],
    ['BUILDING.md', Buffer.from(building)],
  ]);
}

function describeNext({ withKey }: PackageOptions): readonly string[] {
  const lines = [
    withKey
      ? 'The package for Chrome keeps the "key" of manifest.json, so a store accepts it only if that store issued the key.'
      : storesDiffer,
  ];
  const uncommitted = listUncommitted(root);
  if (uncommitted.length > 0) {
    lines.push(
      `Not committed: ${uncommitted.join(', ')}. The packages may need them, and the sources leave out files that git doesn't track.`,
    );
  }
  // The id of this project, which each copy has until it gets its own.
  if (readManifest().browser_specific_settings.gecko.id === 'latchkey@latchkey.example') {
    lines.push(
      "The IDs in manifest.json are Latchkey's own, and every copy has them. Run `npm run rename` to make yours before you upload.",
    );
  }
  return lines;
}

await runIfStarted(import.meta.url, async () => {
  const options = {
    'with-key': {
      type: 'boolean',
      description: 'Keeps "key" of manifest.json, if the Chrome Web Store issued it.',
    },
  } as const;
  const { 'with-key': withKey = false } = readOptions(options, '--with-key');
  for (const { path, bytes, sha256 } of await packageExtension({ withKey })) {
    console.log(`${relative(root, path)}  ${bytes} bytes  SHA-256 ${sha256}`);
  }
  for (const line of describeNext({ withKey })) console.log(line);
});
