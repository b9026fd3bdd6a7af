// The package's entry point for builds: `latchkey/vite`.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import type { Config } from '../../src/config/config.ts';
import { builtConfig } from '../build/plugins.ts';
import { parseConfig } from '../build/parse-config.ts';
import { readPackage } from '../build/read-manifest.ts';
import { readText } from '../build/read-text.ts';
import { type BuildEnvironment, toGuestManifest } from './guest-manifest.ts';

export type { BuildEnvironment };

export interface LatchkeyOptions {
  /** The configuration's file, relative to the folder in which the build runs; `latchkey.json` by default. */
  readonly config?: string;
}

/**
 * Vite's plugin for Latchkey: gives the worker and the pages the configuration. Throws an error with a line for each mistake
 * in its file.
 */
export function latchkey(options: LatchkeyOptions = {}): Plugin {
  // Of the package that this file is in.
  const { name } = readPackage();
  return {
    ...builtConfig(readConfig(options)),
    name: 'latchkey',
    config: () => ({
      optimizeDeps: {
        // Vite's server would bundle the package before any plugin could give it the configuration.
        exclude: [name],
        include: [`${name} > webextension-polyfill`],
      },
    }),
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

function readConfig({ config: file = 'latchkey.json' }: LatchkeyOptions): Config {
  return parseConfig(readText(resolve(file), file), file);
}
