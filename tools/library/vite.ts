// The package's entry point for builds: `latchkey/vite`.

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { builtModules } from '../build/plugins.ts';
import { parseConfig } from '../build/read-config.ts';
import { readPackage } from '../build/read-manifest.ts';
import { latchkey as ownFolder, readText } from '../build/read-text.ts';
import { findBuildMistakes, toSlashes } from './check-build.ts';
import { type BuildEnvironment, toGuestManifest } from './guest-manifest.ts';

export type { BuildEnvironment };

export interface LatchkeyOptions {
  /** The configuration's file, relative to the folder in which the build runs; `latchkey.json` by default. */
  readonly config?: string;
}

/**
 * The plugin's type, which doesn't use Vite's: an extension may have two versions of Vite with different types, as with WXT.
 * Every version that Latchkey works with accepts it.
 */
export interface LatchkeyPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  config(): { optimizeDeps: { exclude: string[] } };
  configResolved(resolved: {
    readonly configFileDependencies: string[];
    readonly plugins: readonly { readonly name: string }[];
  }): void;
  buildStart(): void;
  resolveId(source: string, importer?: string): string | undefined;
  load(this: { addWatchFile(file: string): void }, id: string): string | undefined;
  readonly writeBundle: {
    readonly order: 'post';
    readonly sequential: true;
    handler(output: { readonly dir?: string | undefined }): void;
  };
}

const packageFolder = toSlashes(resolve(import.meta.dirname, '../..'));

/** The polyfill does nothing in the browsers that Latchkey needs, and a content script would have to share a file with the worker. */
const ownBrowser = '\0latchkey:browser';

/**
 * Vite's plugin for Latchkey: gives the worker and the pages the configuration, and stops a build whose manifest names files that
 * it hasn't written. When the configuration's file changes, Vite's server restarts. Throws an error with a line for each mistake in
 * that file.
 */
export function latchkey(options: LatchkeyOptions = {}): LatchkeyPlugin {
  const { name } = readPackage(ownFolder);
  const file = toSlashes(resolve(toFile(options)));
  // A mistake stops the build at its beginning.
  readConfig(options);
  let startedAtMs = 0;
  /** Whether the build is that of `latchkey-tools`, which writes the manifest itself. */
  let writesManifest = false;
  return {
    name: 'latchkey',
    enforce: 'pre',
    // Vite's server would bundle the package before any plugin could give it the configuration.
    config: () => ({ optimizeDeps: { exclude: [name] } }),
    configResolved({ configFileDependencies, plugins }) {
      writesManifest = plugins.some((plugin) => plugin.name === 'worker-script');
      configFileDependencies.push(file);
    },
    buildStart: () => void (startedAtMs = Date.now()),
    resolveId(source, importer = '') {
      if (source === 'webextension-polyfill' && toSlashes(importer).startsWith(`${packageFolder}/`)) {
        return ownBrowser;
      }
      return source in builtModules ? `\0${source}` : undefined;
    },
    load(resolved) {
      // A query marks a copy of a module: see tools/build/worker-script.ts.
      const id = resolved.replace(/\?.*/, '');
      if (id === ownBrowser) return 'export default globalThis.browser;';
      const toModule = id.startsWith('\0') ? builtModules[id.slice(1)] : undefined;
      if (toModule === undefined) return undefined;
      this.addWatchFile(file);
      return toModule(readConfig(options), (watched) => this.addWatchFile(watched));
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler({ dir = '.' }) {
        if (writesManifest) return;
        // Another build may write the manifest; an earlier one may have.
        const manifest = statSync(join(dir, 'manifest.json'), { throwIfNoEntry: false });
        if (manifest === undefined || manifest.mtimeMs < startedAtMs - clockTickMs) return;
        const mistakes = findBuildMistakes(dir, readConfig(options));
        if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
      },
    },
  };
}

/** A file system's clock lags behind by as much. */
const clockTickMs = 100;

/**
 * The manifest with what Latchkey needs, for one browser: the permissions `identity` and `storage`, the hosts of the
 * configuration, and a content security policy that lets the extension connect to them. What the manifest has stays. Throws
 * an error with a line for each mistake in the configuration, and one for a manifest that Latchkey can't work with.
 */
export function withLatchkey<Manifest extends object>(
  manifest: Manifest,
  environment: BuildEnvironment,
  options: LatchkeyOptions = {},
): Manifest & ReturnType<typeof toGuestManifest> {
  return { ...manifest, ...toGuestManifest(manifest, readConfig(options), environment) };
}

function readConfig(options: LatchkeyOptions): Config {
  const file = toFile(options);
  return parseConfig(readText(file, '.'), file);
}

function toFile({ config: file = 'latchkey.json' }: LatchkeyOptions): string {
  return file;
}
