// The sign-in window among other windows of a real browser. tests/background/own-window.test.ts has all cases.

import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';
import { approve, popupWith, press, setUpExtension, type Extension } from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

/** Starts a sign-in page that does not respond until `answer` or `beFast`. Then it links to the provider's own page. */
async function serveSlowPage() {
  const loopback = await listenOnLoopback(0);
  onTestFinished(() => loopback.close());
  const origin = `http://localhost:${loopback.port}`;
  const waiting: (() => void)[] = [];
  const states = new Set<string>();
  let provider = '';
  let isSlow = true;
  loopback.serve((request, response) => {
    const state = new URL(`${origin}${request.url}`).searchParams.get('state');
    if (state !== null) states.add(state);
    const send = () => {
      response.setHeader('content-type', 'text/html');
      response.end(`<title>A page</title><a href="${provider}${request.url}">Go on</a>`);
    };
    if (isSlow && request.url?.startsWith('/auth?')) waiting.push(send);
    else send();
  });
  return {
    origin,
    /** Returns how many sign-in pages wait. */
    count: () => waiting.length,
    /** The state of each sign-in that arrived, in order. */
    states: () => [...states],
    sendTo: (issuer: string) => (provider = issuer),
    /** Makes the page respond at once from now on. */
    beFast: () => (isSlow = false),
    /** Responds to all waiting requests. */
    answer() {
      for (const send of waiting.splice(0)) send();
    },
  };
}

async function setUpSlowSignIn() {
  const page = await serveSlowPage();
  const extension = await setUpExtension({
    configuration: {
      origins: [page.origin],
      metadata: { authorization_endpoint: `${page.origin}/auth` },
    },
  });
  page.sendTo(extension.demo.issuer);
  return { extension, page };
}

/** Opens a popup window, as another page or extension may do at any time. */
function openPopupWindow({ browser }: Extension, url: string): Promise<void> {
  return browser.evaluateInExtension(async (address) => {
    const { chrome } = globalThis as unknown as {
      chrome: { windows: { create(details: object): Promise<unknown> } };
    };
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
    const { extension, page } = await setUpSlowSignIn();
    await startAndWait(extension, page);
    await cancel(extension);
    await openPopupWindow(extension, `${page.origin}/other`);
    await expect.poll(() => pagesOf(extension)).toContain(`${page.origin}/other`);
    // These are all the moments at which the extension looks at a new window.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await pagesOf(extension)).toContain(`${page.origin}/other`);
  },
);

test.runIf(isOfThisBrowser(0))(
  'a person who cancels a slow sign-in and begins another is signed in by the second',
  async () => {
    const { extension, page } = await setUpSlowSignIn();
    await startAndWait(extension, page);
    await cancel(extension);
    page.beFast();
    await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
    await popupWith(extension, 'signing-in');
    // The second sign-in waits until the late page arrives and its window is closed.
    page.answer();
    const find = async (state: string | undefined) => {
      const pages = await extension.browser.browser.pages();
      return pages.find((shown) => state !== undefined && shown.url().includes(state)) ?? null;
    };
    await expect.poll(() => find(page.states()[1])).not.toBeNull();
    expect(await find(page.states()[0])).toBeNull();
    const window = (await find(page.states()[1]))!;
    await press(window, 'a');
    await approve(window);
    const popup = await popupWith(extension, 'signed-in');
    expect(await popup.$('[data-problem]')).toBeNull();
  },
);

test('Show the window and Cancel leave alone a window that opened at the same moment', async () => {
  const { extension, page } = await setUpSlowSignIn();
  const other = await serveSlowPage();
  await startAndWait(extension, page);
  await openPopupWindow(extension, `${other.origin}/other`);
  await expect.poll(() => pagesOf(extension)).toContain(`${other.origin}/other`);
  await press(await popupWith(extension, 'signing-in'), '[data-action="show-window"]');
  await cancel(extension);
  expect(await pagesOf(extension)).toContain(`${other.origin}/other`);
});
