// Builds the extension: `npm run build` for both browsers, and one function for every other command.

import { pathToFileURL } from 'node:url';
import { runBuild } from './build/run-build.ts';
import { extension, type ExtensionOptions } from './build/settings.ts';
import { runCommand } from './command.ts';

export interface BuildOptions extends ExtensionOptions {
  /** Keeps React's warnings, and names the file of the feature in the empty feature area. */
  readonly development?: boolean;
}

/** Builds for one browser. Throws a `FileError` when the configuration or manifest.json is invalid. */
export async function buildExtension({ development = false, ...options }: BuildOptions): Promise<void> {
  await runBuild(extension(options), development ? 'development' : 'production');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runCommand(async () => {
    for (const browser of ['chrome', 'firefox'] as const) {
      await buildExtension({ browser });
      console.log(`dist/${browser}`);
    }
  });
}
