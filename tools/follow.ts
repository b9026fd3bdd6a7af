// Builds for `npm run dev`, and again whenever the source changes.

import { allFilesReady } from '@crxjs/vite-plugin';
import { build, createServer } from 'vite';
import type { Config } from '../src/config/config.ts';
import type { BrowserName } from './browser/browsers.ts';
import { extension } from './build/settings.ts';
import { toMessage } from './command.ts';

interface FollowOptions {
  /** The folder of the build. */
  readonly extensionDir: string;
  readonly config: Config;
  /** Called after each build but the first, if the browser must reload the extension. */
  readonly onChange: () => Promise<void>;
}

/** Resolves after the first build, with a function that ends the following. */
type Follow = (options: FollowOptions) => Promise<() => Promise<void>>;

export const follow: Readonly<Record<BrowserName, Follow>> = { chrome: serve, firefox: rebuild };

/** Chromium loads modules from a development server, which also sends changes to the pages. */
async function serve({ extensionDir, config }: FollowOptions): Promise<() => Promise<void>> {
  const settings = extension({ browser: 'chrome', outDir: extensionDir, config, live: 'served' });
  const server = await createServer({ ...settings, configFile: false });
  await server.listen();
  await allFilesReady();
  return () => server.close();
}

/** Firefox loads no module from a server, so it gets a complete build after each change. */
async function rebuild({ extensionDir, config, onChange }: FollowOptions): Promise<() => Promise<void>> {
  const settings = extension({ browser: 'firefox', outDir: extensionDir, config, live: 'rebuilt' });
  const watcher = await build({
    ...settings,
    build: { ...settings.build, watch: {} },
    configFile: false,
    mode: 'development',
    logLevel: 'warn',
  });
  if (!('on' in watcher)) throw new Error('Vite built once and does not watch the source.');
  let reload = async () => {};
  await new Promise<void>((built) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(toMessage(event.error));
      if (event.code !== 'BUNDLE_END') return;
      console.log(`Built in ${event.duration} ms.`);
      void event.result.close();
      built();
      reload().catch((error: unknown) =>
        console.error(`Firefox did not reload the extension: ${toMessage(error)}`),
      );
    });
  });
  reload = onChange;
  return () => watcher.close();
}
