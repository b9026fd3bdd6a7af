// The package's entry point for builds: `latchkey/vite`.

import { resolve } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { toConfigModule, toPartsModule } from '../build/plugins.ts';
import { parseConfig } from '../build/read-config.ts';
import { readPackage } from '../build/read-manifest.ts';
import { latchkey as ownFolder, readText } from '../build/read-text.ts';
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
  config(): { optimizeDeps: { exclude: string[]; include: string[] } };
  configResolved(resolved: { readonly configFileDependencies: string[] }): void;
  resolveId(source: string): string | undefined;
  load(this: { addWatchFile(file: string): void }, id: string): string | undefined;
}

const modules: Readonly<Record<string, (config: Config) => string>> = {
  'latchkey:config': toConfigModule,
  'latchkey:parts': toPartsModule,
};

/**
 * Vite's plugin for Latchkey: gives the worker and the pages the configuration. When its file changes, Vite's server restarts.
 * Throws an error with a line for each mistake in the file.
 */
export function latchkey(options: LatchkeyOptions = {}): LatchkeyPlugin {
  const { name } = readPackage(ownFolder);
  // Vite writes all paths with slashes.
  const file = resolve(toFile(options)).replaceAll('\\', '/');
  // A mistake stops the build at its beginning.
  readConfig(options);
  return {
    name: 'latchkey',
    enforce: 'pre',
    config: () => ({
      optimizeDeps: {
        // Vite's server would bundle the package before any plugin could give it the configuration.
        exclude: [name],
        include: [`${name} > webextension-polyfill`],
      },
    }),
    configResolved: ({ configFileDependencies }) => void configFileDependencies.push(file),
    resolveId: (source) => (source in modules ? `\0${source}` : undefined),
    load(id) {
      const toModule = id.startsWith('\0') ? modules[id.slice(1)] : undefined;
      if (toModule === undefined) return undefined;
      this.addWatchFile(file);
      return toModule(readConfig(options));
    },
  };
}

/**
 * The manifest with what Latchkey needs, for one browser: the permissions `identity` and `storage`, the hosts of the
 * configuration, and a content security policy that lets the extension connect to them. What the manifest has stays. Throws
 * an error with a line for each mistake in the configuration, and one for a manifest that Latchkey cannot work with.
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
