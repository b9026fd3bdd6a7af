// Builds the extension: `npm run build` for both browsers, and one function for every other command.

import { build, type InlineConfig } from 'vite';
import { createQueue } from '../src/concurrency.ts';
import { browserNames } from './browser/browsers.ts';
import { readConfigFile } from './build/read-config.ts';
import { extension, ownSettings, type ExtensionOptions } from './build/settings.ts';
import { readOptions, runIfStarted } from './command.ts';
import { readManifest } from './build/read-manifest.ts';
import { describeRedirectUris, storesDiffer } from './redirect-uris.ts';

export interface BuildOptions extends ExtensionOptions {
  readonly mode?: BuildMode;
}

/** Builds for one browser. Throws a `FileError` when the configuration or manifest.json is invalid. */
export async function buildExtension({ mode = 'production', ...options }: BuildOptions): Promise<void> {
  await runBuild(extension(options), mode);
}

/** A demonstration says in the empty feature area where the feature goes. It's what production is otherwise. */
export type BuildMode = 'production' | 'demonstration';

const queue = createQueue();

/**
 * Builds with `settings`. Builds run one at a time, because Vite and React read `NODE_ENV`, which belongs to the whole process.
 * It gets its value back afterwards.
 */
export function runBuild(settings: InlineConfig, mode: BuildMode): Promise<void> {
  return queue(async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      await build({ ...settings, ...ownSettings, mode, logLevel: 'warn' });
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    }
  });
}

await runIfStarted(import.meta.url, async () => {
  readOptions({}, '');
  for (const browser of browserNames) {
    await buildExtension({ browser });
    console.log(`dist/${browser}`);
  }
  const { providers } = readConfigFile();
  console.log(describeRedirectUris(readManifest(), providers, browserNames).join('\n'));
  console.log(storesDiffer);
});
