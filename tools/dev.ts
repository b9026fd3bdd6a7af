// `npm run dev`: the extension in a browser, following every change of the source. In Chromium what is on show
// changes in place; for Firefox each change is a build and a reload.

import { relative, resolve } from 'node:path';
import { allFilesReady } from '@crxjs/vite-plugin';
import { build, createServer } from 'vite';
import { extension, readConfigFile } from '../vite.config.ts';
import { type BrowserName, findBrowser, hasDisplay } from './browser/browsers.ts';
import { type OnStop, readBrowserOption, runCommand, toMessage } from './command.ts';
import { findDemo, openBrowser, startDemo, waitUntilClosed } from './show.ts';

const root = resolve(import.meta.dirname, '..');

/** Follows the source into a folder, and tells of each change that a browser does not take up by itself. */
type Follow = (extensionDir: string, onStop: OnStop, onChange: () => Promise<void>) => Promise<void>;

const followers: Readonly<Record<BrowserName, Follow>> = { chrome: serve, firefox: rebuild };

await runCommand(async (onStop) => {
  const name = readBrowserOption();
  const demo = findDemo(readConfigFile());
  // Apart from the finished builds, because this one is worth nothing without what follows the source.
  const extensionDir = resolve(root, 'dist/development', name);
  // Vite would take `production` for a build in whatever mode.
  process.env['NODE_ENV'] = 'development';

  if (demo !== null) {
    await startDemo(demo, onStop);
    console.log(`The demo provider is at ${demo.issuer}.`);
  }
  let reload = async () => {};
  await followers[name](extensionDir, onStop, () => reload());
  console.log(`${relative(root, extensionDir)} follows the source. To stop, press Ctrl-C.`);
  if (!hasDisplay()) {
    console.log('There is no display for a browser here: load that folder into one yourself.');
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
  console.log(`Every face of the popup: ${scheme}://${opened.extensionId}/src/gallery/index.html`);
  await waitUntilClosed(opened);
});

/** Chromium loads every module from a development server, which also tells the pages what has changed. */
async function serve(extensionDir: string, onStop: OnStop): Promise<void> {
  const settings = extension({ browser: 'chrome', outDir: extensionDir, live: 'served' });
  const server = await createServer({ ...settings, configFile: false });
  onStop(() => server.close());
  await server.listen();
  await allFilesReady();
}

/** Firefox takes no module from a server, so it gets a whole build after each change. */
async function rebuild(extensionDir: string, onStop: OnStop, onChange: () => Promise<void>): Promise<void> {
  const settings = extension({ browser: 'firefox', outDir: extensionDir, live: 'rebuilt' });
  const watcher = await build({
    ...settings,
    build: { ...settings.build, watch: {} },
    configFile: false,
    mode: 'development',
    logLevel: 'warn',
  });
  if (!('on' in watcher)) throw new Error('Vite has built once and does not follow the source.');
  onStop(() => watcher.close());
  await new Promise<void>((built) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(toMessage(event.error));
      if (event.code !== 'BUNDLE_END') return;
      console.log(`Built in ${event.duration} ms.`);
      void event.result.close();
      built();
      onChange().catch((error: unknown) => console.error(`Firefox did not reload: ${toMessage(error)}`));
    });
  });
}
