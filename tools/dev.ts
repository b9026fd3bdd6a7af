// `npm run dev`: opens a browser with the extension and applies every change of the source. Chromium updates the pages
// in place; Firefox gets a new build and a reload.

import { relative, resolve } from 'node:path';
import { allFilesReady } from '@crxjs/vite-plugin';
import { build, createServer } from 'vite';
import { readConfigFile } from './build/read-config.ts';
import { extension } from './build/settings.ts';
import { type BrowserName, findBrowser, hasDisplay } from './browser/browsers.ts';
import { type OnStop, readBrowserOption, runCommand, toMessage } from './command.ts';
import { findDemo, openBrowser, startDemo, waitUntilClosed } from './show.ts';

const root = resolve(import.meta.dirname, '..');

/** Builds into a folder whenever the source changes. Calls `onChange` if the browser must reload the extension. */
type Follow = (extensionDir: string, onStop: OnStop, onChange: () => Promise<void>) => Promise<void>;

const followers: Readonly<Record<BrowserName, Follow>> = { chrome: serve, firefox: rebuild };

await runCommand(async (onStop) => {
  const name = readBrowserOption();
  const demo = findDemo(readConfigFile());
  // Apart from the production builds: this one does not work without the running command.
  const extensionDir = resolve(root, 'dist/development', name);
  // Vite would use `production` for a build in any mode.
  process.env['NODE_ENV'] = 'development';

  if (demo !== null) {
    await startDemo(demo, onStop);
    console.log(`The demo provider is at ${demo.issuer}.`);
  }
  let reload = async () => {};
  await followers[name](extensionDir, onStop, () => reload());
  console.log(`${relative(root, extensionDir)} follows every change of the source. Press Ctrl-C to stop.`);
  if (!hasDisplay()) {
    console.log('No browser was opened, because there is no display. Load that folder into a browser.');
    await new Promise(() => {});
  }

  const executablePath = await findBrowser(name, { log: console.log });
  const opened = await openBrowser(name, { extensionDir, executablePath, headless: false }, onStop);
  reload = async () => {
    const popup = await opened.findPopup();
    await opened.browser.installExtension(extensionDir);
    if (popup !== null) await opened.openPopup();
  };
  await opened.openPopup();
  const scheme = name === 'chrome' ? 'chrome-extension' : 'moz-extension';
  console.log(`Every view of the popup: ${scheme}://${opened.extensionId}/src/gallery/index.html`);
  await waitUntilClosed(opened);
});

/** Chromium loads modules from a development server, which also sends changes to the pages. */
async function serve(extensionDir: string, onStop: OnStop): Promise<void> {
  const settings = extension({ browser: 'chrome', outDir: extensionDir, live: 'served' });
  const server = await createServer({ ...settings, configFile: false });
  onStop(() => server.close());
  await server.listen();
  await allFilesReady();
}

/** Firefox loads no module from a server, so it gets a complete build after each change. */
async function rebuild(extensionDir: string, onStop: OnStop, onChange: () => Promise<void>): Promise<void> {
  const settings = extension({ browser: 'firefox', outDir: extensionDir, live: 'rebuilt' });
  const watcher = await build({
    ...settings,
    build: { ...settings.build, watch: {} },
    configFile: false,
    mode: 'development',
    logLevel: 'warn',
  });
  if (!('on' in watcher)) throw new Error('Vite built once and does not watch the source.');
  onStop(() => watcher.close());
  await new Promise<void>((built) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(toMessage(event.error));
      if (event.code !== 'BUNDLE_END') return;
      console.log(`Built in ${event.duration} ms.`);
      void event.result.close();
      built();
      onChange().catch((error: unknown) =>
        console.error(`Firefox did not reload the extension: ${toMessage(error)}`),
      );
    });
  });
}
