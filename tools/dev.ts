// `npm run dev`: opens a browser with the extension and applies every change of the source. Chromium updates the pages
// in place; Firefox gets a new build and a reload.

import { watchFile } from 'node:fs';
import { relative, resolve } from 'node:path';
import { allFilesReady } from '@crxjs/vite-plugin';
import { build, createServer } from 'vite';
import type { Config } from '../src/config/config.ts';
import { findBrowser, hasDisplay } from './browser/browsers.ts';
import { toConfigPath } from './build/read-config.ts';
import { readProductName } from './build/read-manifest.ts';
import { root } from './build/read-text.ts';
import { extension, galleryPages, ownSettings } from './build/settings.ts';
import { readBrowserOptions, runCommand, toMessage } from './command.ts';
import { describeOthers, readDemonstrated, startDemo, toBuildFolder } from './demo.ts';
import { offerPopup, openBrowser, toProfile, waitUntilClosed } from './show.ts';

interface FollowOptions {
  readonly extensionDir: string;
  readonly config: Config;
  /** Called after each build but the first, if the browser must reload the extension. */
  readonly onChange: () => Promise<void>;
}

/** Build, and build again whenever the source changes. Resolve after the first build, with a function that ends this. */
const follow = { chrome: serve, firefox: rebuild };

/** Chromium loads modules from a development server, which also sends changes to the pages. */
async function serve({ extensionDir, config }: FollowOptions): Promise<() => Promise<void>> {
  const settings = extension({ browser: 'chrome', outDir: extensionDir, config, live: 'served' });
  const server = await createServer({ ...settings, ...ownSettings });
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
    ...ownSettings,
    mode: 'development',
    logLevel: 'warn',
  });
  if (!('on' in watcher)) throw new Error("Vite built once and doesn't watch the source.");
  let reload = async () => {};
  await new Promise<void>((built) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(toMessage(event.error));
      if (event.code !== 'BUNDLE_END') return;
      console.log(`Built in ${event.duration} ms.`);
      void event.result.close();
      built();
      reload().catch((error: unknown) =>
        console.error(`Firefox didn't reload the extension: ${toMessage(error)}`),
      );
    });
  });
  reload = onChange;
  return () => watcher.close();
}

await runCommand(async (onStop) => {
  const options = readBrowserOptions();
  const { name } = options;
  const demonstrated = readDemonstrated();
  const { config, demo } = demonstrated;
  // Apart from the production builds: this one doesn't work without the running command.
  const extensionDir = resolve(root, 'dist/development', toBuildFolder(name, demo));
  // Vite would use `production` for a build in any mode.
  process.env['NODE_ENV'] = 'development';
  if (demo !== null) {
    await startDemo(demo, onStop);
    console.log(`The demo provider is at ${demo.issuer}.`);
  }
  let reload = async () => {};
  onStop(await follow[name]({ extensionDir, config, onChange: () => reload() }));
  for (const line of describeOthers(demonstrated, name)) console.log(line);
  console.log(
    `${relative(root, extensionDir)} is rebuilt after every change of the source. Press Ctrl-C to stop.`,
  );
  for (const file of [toConfigPath(), 'manifest.json']) {
    watchFile(resolve(root, file), { interval: 300 }, () =>
      console.log(`${file} has changed. Stop this command, and run it again to use that.`),
    );
  }
  if (!hasDisplay()) {
    console.log(
      'No browser was opened, because there is no display. docs/configuration.md says how to load a build yourself.',
    );
    await new Promise(() => {});
  }

  const executablePath = await findBrowser(name, { log: console.log });
  const launching = { extensionDir, executablePath, headless: false, ...toProfile(options) };
  const opened = await openBrowser(name, launching, onStop);
  const openPopup = () => offerPopup(opened, readProductName());
  reload = async () => {
    const popup = await opened.findPopup();
    await opened.browser.installExtension(extensionDir);
    if (popup !== null) await openPopup();
  };
  await openPopup();
  if (galleryPages.length > 0) {
    const scheme = name === 'chrome' ? 'chrome-extension' : 'moz-extension';
    console.log(`Every view of the popup: ${scheme}://${opened.extensionId}/tools/gallery/index.html`);
  }
  await waitUntilClosed(opened);
});
