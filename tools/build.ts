// Builds the extension: `npm run build` for both browsers, and one function for every other command.

import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { extension, type ExtensionOptions } from './build/settings.ts';
import { runCommand } from './command.ts';

export interface BuildOptions extends ExtensionOptions {
  /** Leaves React's warnings in, and tells in the empty feature area which file fills it. */
  readonly development?: boolean;
}

/** Builds for one browser. Throws a `ConfigError` when the configuration cannot be used. */
export async function buildExtension({ development = false, ...options }: BuildOptions): Promise<void> {
  const mode = development ? 'development' : 'production';
  const before = process.env['NODE_ENV'];
  // Vite takes it from here before it looks at the mode, and a test runner has set it already.
  process.env['NODE_ENV'] = mode;
  try {
    await build({ ...extension(options), configFile: false, mode, logLevel: 'warn' });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runCommand(async () => {
    for (const browser of ['chrome', 'firefox'] as const) {
      await buildExtension({ browser });
      console.log(`dist/${browser}`);
    }
  });
}
