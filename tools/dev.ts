// `npm run dev`: opens a browser with the extension and applies every change of the source. Chromium updates the pages
// in place; Firefox gets a new build and a reload. A change of the configuration or of manifest.json starts a new build.

import { watchFile } from 'node:fs';
import { relative, resolve } from 'node:path';
import { allFilesReady } from '@crxjs/vite-plugin';
import { build, createServer } from 'vite';
import type { Config } from '../src/config/config.ts';
import { createQueue } from '../src/concurrency.ts';
import { findBrowser, hasDisplay, toBrowserName } from './browser/browsers.ts';
import { toConfigPath } from './build/read-config.ts';
import { readManifest, readProductName } from './build/read-manifest.ts';
import { root } from './build/read-text.ts';
import { extension, galleryPages, ownSettings } from './build/settings.ts';
import { readBrowserOptions, runCommand, toMessage } from './command.ts';
import { type Demonstrated, describeOthers, readDemonstrated, startDemo, toBuildFolder } from './demo.ts';
import { offerPopup, openBrowser, toProfile, waitUntilClosed } from './show.ts';

interface FollowOptions {
  /** The folder of the build. */
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
  const { product } = options;
  const name = toBrowserName(product);
  const first = readDemonstrated();
  // Apart from the production builds: this one does not work without the running command.
  const extensionDir = resolve(root, 'dist/development', toBuildFolder(name, first.demo));
  // Vite would use `production` for a build in any mode.
  process.env['NODE_ENV'] = 'development';

  let reload = async () => {};
  let install = async () => {};
  let stopFollowing = async () => {};
  onStop(() => stopFollowing());
  let running: { readonly address: string; readonly close: () => Promise<void> } | null = null;

  /** Starts over with another configuration: both the demo provider and the build depend on it. */
  async function start(demonstrated: Demonstrated): Promise<void> {
    const { config, demo } = demonstrated;
    await stopFollowing();
    // Only if needed, because it forgets who is signed in.
    const address = `${demo?.issuer} ${demo?.id}`;
    if (demo !== null && running?.address !== address) {
      await running?.close();
      running = null;
      running = { address, close: (await startDemo(demo, onStop)).close };
      console.log(`The demo provider is at ${demo.issuer}.`);
    }
    stopFollowing = await follow[name]({ extensionDir, config, onChange: () => reload() });
    for (const line of describeOthers(demonstrated, name)) console.log(line);
  }

  let used = JSON.stringify([first, readManifest()]);
  /** Uses changed files. Invalid ones, such as a file that is half written, change nothing. */
  async function useFiles(): Promise<void> {
    try {
      const next = readDemonstrated();
      const text = JSON.stringify([next, readManifest()]);
      if (text === used) return;
      used = text;
      console.log('The configuration or manifest.json has changed: rebuilding.');
      await start(next);
      await install();
    } catch (error) {
      console.error(`${toMessage(error)}\nThe extension stays as it is until you correct that.`);
    }
  }

  await start(first);
  console.log(
    `${relative(root, extensionDir)} is rebuilt after every change of the source. Press Ctrl-C to stop.`,
  );
  const queue = createQueue();
  for (const file of [toConfigPath(), 'manifest.json']) {
    watchFile(resolve(root, file), { interval: 300 }, () => void queue(useFiles));
  }
  if (!hasDisplay()) {
    console.log(
      'No browser was opened, because there is no display. docs/configuration.md says how to load a build yourself.',
    );
    await new Promise(() => {});
  }

  const executablePath = await findBrowser(product, { log: console.log });
  const launching = { extensionDir, executablePath, headless: false, ...toProfile(options) };
  const opened = await openBrowser(name, launching, onStop);
  const openPopup = () => offerPopup(opened, readProductName());
  reload = async () => {
    const popup = await opened.findPopup();
    await opened.browser.installExtension(extensionDir);
    if (popup !== null) await openPopup();
  };
  const showGallery = () => {
    if (galleryPages.length === 0) return;
    const scheme = name === 'chrome' ? 'chrome-extension' : 'moz-extension';
    console.log(`Every view of the popup: ${scheme}://${opened.extensionId}/tools/gallery/index.html`);
  };
  install = async () => {
    if (name === 'chrome') return reload();
    // Firefox grants further hosts only to an extension that is installed again, which gives it another address.
    await opened.replaceExtension(extensionDir);
    console.log('Firefox was reset: its other tabs, its cookies and the session are gone.');
    await openPopup();
    showGallery();
  };
  await openPopup();
  showGallery();
  await waitUntilClosed(opened);
});
