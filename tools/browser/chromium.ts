// Drives the extension in Chromium, over the DevTools protocol.

import type { Browser, CDPSession, Page, Target } from 'puppeteer-core';
import {
  type Appearance,
  closeAllBut,
  closeOtherPages,
  type Driver,
  type DriverOptions,
  launchDriver,
  popupDeadlineMs,
  readBuiltManifest,
} from './driver.ts';

/** Starts Chromium, Chrome or Edge with the extension in it. */
export function driveChromium(options: DriverOptions, profileFolder: string): Promise<Driver> {
  const { language } = options;
  const own = {
    // Chrome loads an unpacked extension only this way, and only over a pipe.
    enableExtensions: true,
    pipe: true,
    env: {
      ...process.env,
      // On Linux, Chromium reads its language from here and ignores the argument.
      ...(language !== undefined && { LANGUAGE: language.replace('-', '_') }),
    },
    args: [
      '--window-size=1000,800',
      '--disable-component-update',
      '--disable-quic',
      ...(options.savesWork === true
        ? ['--disable-features=SpareRendererForSitePerProcess', '--animation-duration-scale=0']
        : []),
      ...(language === undefined ? [] : [`--lang=${language}`]),
      // Chromium doesn't start with its sandbox as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  };
  return launchDriver(options, profileFolder, own, (browser, home) =>
    loadExtension(browser, home, options.extensionDir),
  );
}

async function loadExtension(browser: Browser, home: Page, extensionDir: string): Promise<Driver> {
  const manifest = await readBuiltManifest(extensionDir);
  const extensionId = await browser.installExtension(extensionDir);
  const origin = `chrome-extension://${extensionId}`;
  const [popupUrl = ''] = `${origin}/${manifest.action.default_popup}`.split('#');

  /** Other places that show the popup's page add a query to its address, because nothing else tells them apart. */
  function isPopup(target: Target): boolean {
    const [address = ''] = target.url().split('#');
    return target.type() === 'page' && address === popupUrl;
  }

  const popupPages = new WeakMap<Target, Promise<Page>>();
  /** The worker keeps running, without a network, for as long as its session is attached. */
  let offline: CDPSession | null = null;

  async function withExtensionPage<Result>(use: (page: Page) => Promise<Result>): Promise<Result> {
    const page = await browser.newPage({ background: true });
    try {
      await page.goto(`${origin}/manifest.json`);
      return await use(page);
    } finally {
      await page.close();
    }
  }

  return {
    browser,
    home,
    extensionId,

    async findPopup() {
      const target = browser.targets().find(isPopup);
      if (target === undefined) return null;
      // One page per popup: every call of `asPage` would attach once more.
      const page = popupPages.get(target) ?? target.asPage();
      popupPages.set(target, page);
      // The popup may be closing.
      return page.catch(() => null);
    },

    async pressToolbarButton() {
      const extension = (await browser.extensions()).get(extensionId);
      if (extension === undefined) throw new Error('The extension is no longer in the browser.');
      // An opening popup has no URL yet, and a click would close it.
      const isOpening = browser.targets().some((target) => target.type() === 'other' && target.url() === '');
      if (!isOpening) await home.triggerExtensionAction(extension);
      const timeout = isOpening ? 1_000 : popupDeadlineMs;
      return browser.waitForTarget(isPopup, { timeout }).then(
        () => null,
        () =>
          browser
            .targets()
            .map((target) => `${target.type()}: ${target.url()}`)
            .join(', '),
      );
    },

    openSidePanel: () => withExtensionPage(openSidePanel),

    async waitForOwnPage(path) {
      const target = await browser.waitForTarget((each) => each.url() === `${origin}/${path}`);
      return target.asPage();
    },

    stopWorker: () => stopWorker(browser, origin),

    isWorkerRunning: async () => findWorkers(browser, origin).length > 0,

    async setOffline(isOffline) {
      await offline?.detach();
      const [worker] = findWorkers(browser, origin);
      offline = isOffline ? await openOfflineSession(worker) : null;
    },

    async replaceExtension(nextDir) {
      await browser.uninstallExtension(extensionId);
      await waitUntilGone(browser, (target) => target.url().startsWith(origin));
      await closeOtherPages(browser, home);
      await forgetSites(home);
      const nextId = await browser.installExtension(nextDir);
      if (nextId !== extensionId) throw new Error(`The extension in ${nextDir} has another id: ${nextId}.`);
      // A sign-in window of the removed extension may have opened in the meantime.
      await closeAllBut(browser, home);
    },

    setAppearance,

    withExtensionPage,
  };
}

/** Chromium opens a side panel only at the user's gesture, which `Page.evaluate` isn't. */
async function openSidePanel(page: Page): Promise<void> {
  const session = await page.createCDPSession();
  const { exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: 'chrome.windows.getCurrent().then(({ id }) => chrome.sidePanel.open({ windowId: id }))',
    userGesture: true,
    awaitPromise: true,
  });
  if (exceptionDetails === undefined) return;
  throw new Error(`Chromium opens no side panel: ${exceptionDetails.exception?.description}`);
}

function findWorkers(browser: Browser, origin: string): readonly Target[] {
  return browser
    .targets()
    .filter((target) => target.type() === 'service_worker' && target.url().startsWith(`${origin}/`));
}

async function stopWorker(browser: Browser, origin: string): Promise<void> {
  const workers = findWorkers(browser, origin);
  for (const target of workers) {
    const worker = await target.worker();
    await worker?.close();
  }
  await waitUntilGone(browser, (target) => workers.includes(target));
}

/** A worker reads `navigator.onLine` and sends requests as if it were offline, until the session is detached. */
async function openOfflineSession(worker: Target | undefined): Promise<CDPSession> {
  if (worker === undefined) throw new Error("The worker doesn't run.");
  const session = await worker.createCDPSession();
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: true,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  return session;
}

async function waitUntilGone(browser: Browser, isAwaited: (target: Target) => boolean): Promise<void> {
  while (browser.targets().some(isAwaited)) {
    await new Promise((resolve) => browser.once('targetdestroyed', resolve));
  }
}

async function forgetSites(page: Page): Promise<void> {
  const session = await page.createCDPSession();
  await session.send('Network.clearBrowserCookies');
  await session.send('Network.clearBrowserCache');
  await session.detach();
}

/** `emulateMediaFeatures` doesn't support forced colors. */
async function setAppearance(page: Page, { theme, colours }: Appearance): Promise<void> {
  const session = await page.createCDPSession();
  await session.send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: theme },
      { name: 'forced-colors', value: colours === 'forced' ? 'active' : 'none' },
    ],
  });
}
