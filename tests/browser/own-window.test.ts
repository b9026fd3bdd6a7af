// The sign-in window among other windows of a real browser. tests/background/own-window.test.ts has all cases.

import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';
import { popupWith, press, setUpExtension } from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

test.runIf(isOfThisBrowser(0))(
  'other windows stay open after a sign-in whose page hangs is cancelled',
  async () => {
    const loopback = await listenOnLoopback(0);
    onTestFinished(() => loopback.close());
    let waiting = 0;
    loopback.serve(({ url }, response) => {
      // The sign-in page never responds.
      if (url?.startsWith('/auth?')) waiting += 1;
      else response.setHeader('content-type', 'text/html').end('<title>A page</title>');
    });
    const origin = `http://localhost:${loopback.port}`;
    const metadata = { authorization_endpoint: `${origin}/auth` };
    const extension = await setUpExtension({ configuration: { origins: [origin], metadata } });
    const { browser } = extension;
    await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
    await expect.poll(() => waiting).toBe(1);
    await press(await popupWith(extension, 'signing-in'), '[data-action="cancel"]');
    await popupWith(extension, 'signed-out');

    // As another page or extension may do at any time.
    const other = `${origin}/other`;
    await browser.evaluateInExtension(async (url) => {
      await chrome.windows.create({ type: 'popup', url, focused: false });
    }, other);
    const readUrls = async () => (await browser.browser.pages()).map((page) => page.url());
    await expect.poll(readUrls).toContain(other);
    // These are all the moments at which the extension looks at a new window.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await readUrls()).toContain(other);
  },
);
