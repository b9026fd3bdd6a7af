// The sign-in window among other windows of a real browser. tests/background/own-window.test.ts has all cases.

import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';
import { popupWith, press, setUpExtension, type Extension } from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

/** Starts a server with a page, and with a sign-in page that never responds. */
async function serveHungPage() {
  const loopback = await listenOnLoopback(0);
  onTestFinished(() => loopback.close());
  let waiting = 0;
  loopback.serve((request, response) => {
    if (request.url?.startsWith('/auth?')) {
      waiting += 1;
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end('<title>A page</title>');
  });
  return { origin: `http://localhost:${loopback.port}`, count: () => waiting };
}

async function setUpHungSignIn() {
  const page = await serveHungPage();
  const extension = await setUpExtension({
    configuration: {
      origins: [page.origin],
      metadata: { authorization_endpoint: `${page.origin}/auth` },
    },
  });
  return { extension, page };
}

/** Opens a popup window, as another page or extension may do at any time. */
function openPopupWindow({ browser }: Extension, url: string): Promise<void> {
  return browser.evaluateInExtension(async (address) => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    await chrome.windows.create({ type: 'popup', url: address, focused: false });
  }, url);
}

/** Returns the addresses of the web pages in all windows, without their queries. */
async function pagesOf({ browser }: Extension): Promise<readonly string[]> {
  const pages = await browser.browser.pages();
  return pages.flatMap((page) => (page.url().startsWith('http') ? [page.url().split('?', 1)[0] ?? ''] : []));
}

async function startAndWait(extension: Extension, page: { count(): number }): Promise<void> {
  const before = page.count();
  await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
  await expect.poll(page.count).toBe(before + 1);
}

async function cancel(extension: Extension): Promise<void> {
  await press(await popupWith(extension, 'signing-in'), '[data-action="cancel"]');
  await popupWith(extension, 'signed-out');
}

test.runIf(isOfThisBrowser(0))(
  'other windows stay open after a sign-in whose page hangs is cancelled',
  async () => {
    const { extension, page } = await setUpHungSignIn();
    await startAndWait(extension, page);
    await cancel(extension);
    await openPopupWindow(extension, `${page.origin}/other`);
    await expect.poll(() => pagesOf(extension)).toContain(`${page.origin}/other`);
    // These are all the moments at which the extension looks at a new window.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await pagesOf(extension)).toContain(`${page.origin}/other`);
  },
);

test('Show window and Cancel leave alone a window that opened at the same moment', async () => {
  const { extension, page } = await setUpHungSignIn();
  const other = await serveHungPage();
  await startAndWait(extension, page);
  await openPopupWindow(extension, `${other.origin}/other`);
  await expect.poll(() => pagesOf(extension)).toContain(`${other.origin}/other`);
  await press(await popupWith(extension, 'signing-in'), '[data-action="show-window"]');
  await cancel(extension);
  expect(await pagesOf(extension)).toContain(`${other.origin}/other`);
});
