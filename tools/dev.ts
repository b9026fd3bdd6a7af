// `npm run dev`: opens a browser with the extension and applies every change of the source. Chromium updates the pages
// in place; Firefox gets a new build and a reload. A change of the configuration or of manifest.json builds anew.

import { relative, resolve } from 'node:path';
import { findBrowser, hasDisplay, toBrowserName } from './browser/browsers.ts';
import { readBrowserOption, runCommand } from './command.ts';
import { describeOthers, startDemo, toBuildFolder } from './demo.ts';
import { createDevelopment } from './development.ts';
import { follow } from './follow.ts';
import { followChanges, type Inputs, readInputs, watchInputs } from './inputs.ts';
import { readProductName } from './product.ts';
import { describeLoading, offerPopup, openBrowser, waitUntilClosed } from './show.ts';

const root = resolve(import.meta.dirname, '..');

await runCommand(async (onStop) => {
  const product = readBrowserOption();
  const name = toBrowserName(product);
  const inputs = readInputs(name);
  // Apart from the production builds: this one does not work without the running command.
  const extensionDir = resolve(root, 'dist/development', toBuildFolder(name, inputs.demo));
  // Vite would use `production` for a build in any mode.
  process.env['NODE_ENV'] = 'development';

  let reload = async () => {};
  let install = async () => {};
  const development = createDevelopment({
    async startDemo(demo) {
      const provider = await startDemo(demo, onStop);
      console.log(`The demo provider is at ${demo.issuer}.`);
      return provider;
    },
    follow: (config) => follow[name]({ extensionDir, config, onChange: () => reload() }),
  });
  onStop(() => development.stop());

  /** Begins anew with other inputs: both the provider and the build depend on them. */
  async function start(next: Inputs): Promise<void> {
    await development.use(next);
    for (const line of describeOthers(next, name)) console.log(line);
  }

  await start(inputs);
  console.log(
    `${relative(root, extensionDir)} is rebuilt after every change of the source. Press Ctrl-C to stop.`,
  );
  const changed = followChanges(inputs, {
    read: () => readInputs(name),
    async use(next) {
      console.log('The configuration or manifest.json has changed: rebuilding.');
      await start(next);
      await install();
    },
    log: console.error,
  });
  watchInputs(onStop, () => void changed());
  if (!hasDisplay()) {
    console.log('No browser was opened, because there is no display.');
    console.log(describeLoading(name, relative(root, extensionDir)));
    await new Promise(() => {});
  }

  const executablePath = await findBrowser(product, { log: console.log });
  const opened = await openBrowser(name, { extensionDir, executablePath, headless: false }, onStop);
  const openPopup = () => offerPopup(opened, readProductName(), console.log);
  reload = async () => {
    const popup = await opened.findPopup();
    await opened.browser.installExtension(extensionDir);
    if (popup !== null) await openPopup();
  };
  const showGallery = () => {
    const scheme = name === 'chrome' ? 'chrome-extension' : 'moz-extension';
    console.log(`Every view of the popup: ${scheme}://${opened.extensionId}/src/gallery/index.html`);
  };
  install = async () => {
    if (name === 'chrome') return reload();
    // Firefox grants further hosts only to an extension that is installed anew. It gets another address.
    await opened.replaceExtension(extensionDir);
    console.log('Firefox was reset: its other tabs, its cookies and the session are gone.');
    await openPopup();
    showGallery();
  };
  await openPopup();
  showGallery();
  await waitUntilClosed(opened);
});
