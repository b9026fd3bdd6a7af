// `npm run dev`: opens a browser with the extension and applies every change of the source. Chromium updates the pages
// in place; Firefox gets a new build and a reload. A change of the configuration or of manifest.json builds anew.

import { relative, resolve } from 'node:path';
import type { Provider } from '../src/config/config.ts';
import { findBrowser, hasDisplay } from './browser/browsers.ts';
import { readBrowserOption, runCommand } from './command.ts';
import { startDemo, toBuildFolder } from './demo.ts';
import { follow } from './follow.ts';
import { followChanges, type Inputs, readInputs, watchInputs } from './inputs.ts';
import { readIdentity, readProductName } from './product.ts';
import { describeRedirectUris } from './redirect-uris.ts';
import { offerPopup, openBrowser, waitUntilClosed } from './show.ts';

const root = resolve(import.meta.dirname, '..');

await runCommand(async (onStop) => {
  const name = readBrowserOption();
  const inputs = readInputs(name);
  // Apart from the production builds: this one does not work without the running command.
  const extensionDir = resolve(root, 'dist/development', toBuildFolder(name, inputs.demo));
  // Vite would use `production` for a build in any mode.
  process.env['NODE_ENV'] = 'development';

  let running: { readonly provider: Provider; readonly close: () => Promise<void> } | null = null;
  let stopFollowing = async () => {};
  let reload = async () => {};
  let install = async () => {};
  onStop(() => stopFollowing());

  /** Begins anew with other inputs: both the provider and the build depend on them. */
  async function start({ config, demo }: Inputs): Promise<void> {
    await stopFollowing();
    stopFollowing = async () => {};
    // Only if it has another port or redirect URI: it forgets who is signed in.
    if (demo?.issuer !== running?.provider.issuer || demo?.id !== running?.provider.id) {
      await running?.close();
      running = null;
    }
    if (demo !== null && running === null) {
      const { close } = await startDemo(demo, onStop);
      running = { provider: demo, close };
      console.log(`The demo provider is at ${demo.issuer}.`);
    }
    stopFollowing = await follow[name]({ extensionDir, config, onChange: () => reload() });
    // The demo provider has its redirect URI already.
    const others = config.providers.filter((provider) => provider !== demo).map(({ id }) => id);
    for (const line of describeRedirectUris(readIdentity(), others, [name])) console.log(line);
  }

  await start(inputs);
  console.log(`${relative(root, extensionDir)} follows every change of the source. Press Ctrl-C to stop.`);
  const changed = followChanges(inputs, {
    read: () => readInputs(name),
    async use(next) {
      console.log('The configuration or manifest.json has changed: building anew.');
      await start(next);
      await install();
    },
    log: console.error,
  });
  watchInputs(onStop, () => void changed());
  if (!hasDisplay()) {
    console.log('No browser was opened, because there is no display. Load that folder into a browser.');
    await new Promise(() => {});
  }

  const executablePath = await findBrowser(name, { log: console.log });
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
    console.log('Firefox is as new: its other tabs, its cookies and the session are gone.');
    await openPopup();
    showGallery();
  };
  await openPopup();
  showGallery();
  await waitUntilClosed(opened);
});
