// Builds the extension: `npm run build` for both browsers, and one function for every other command.

import { browserNames } from './browser/browsers.ts';
import { readConfigFile } from './build/read-config.ts';
import { runBuild, type BuildMode } from './build/run-build.ts';
import { extension, type ExtensionOptions } from './build/settings.ts';
import { expectNoOptions, isCommand, runCommand } from './command.ts';
import { readIdentity } from './product.ts';
import { describeRedirectUris, storesDiffer } from './redirect-uris.ts';

export interface BuildOptions extends ExtensionOptions {
  /** `production` by default. */
  readonly mode?: BuildMode;
}

/** Builds for one browser. Throws a `FileError` when the configuration or manifest.json is invalid. */
export async function buildExtension({ mode = 'production', ...options }: BuildOptions): Promise<void> {
  await runBuild(extension(options), mode);
}

/** Builds for every browser. Calls `log` with each folder, and then with the redirect URIs to register. */
export async function buildForEach(
  log: (line: string) => void,
  build: (options: BuildOptions) => Promise<void> = buildExtension,
): Promise<void> {
  for (const browser of browserNames) {
    await build({ browser });
    log(`dist/${browser}`);
  }
  const { providers } = readConfigFile();
  for (const line of describeRedirectUris(readIdentity(), providers, browserNames)) log(line);
  log(storesDiffer);
}

if (isCommand(import.meta.url)) {
  await runCommand(async () => {
    expectNoOptions();
    await buildForEach(console.log);
  });
}
