// Builds the extension: `npm run build` for both browsers, and one function for every other command.

import { browserNames } from './browser/browsers.ts';
import { readConfigFile } from './build/read-config.ts';
import { runBuild, type BuildMode } from './build/run-build.ts';
import { extension, type ExtensionOptions } from './build/settings.ts';
import { readOptions, runIfStarted } from './command.ts';
import { readManifest } from './build/read-manifest.ts';
import { describeRedirectUris, storesDiffer } from './redirect-uris.ts';

export interface BuildOptions extends ExtensionOptions {
  /** `production` by default. */
  readonly mode?: BuildMode;
}

/** Builds for one browser. Throws a `FileError` when the configuration or manifest.json is invalid. */
export async function buildExtension({ mode = 'production', ...options }: BuildOptions): Promise<void> {
  await runBuild(extension(options), mode);
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
