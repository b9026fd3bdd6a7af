// The contract of the fakes, in a real browser.

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildProbe } from '../contract/probe/build.ts';
import { startContractProvider, type ContractProvider } from '../contract/probe/provider.ts';
import { notesIn, type Act } from '../contract/row.ts';
import { rows } from '../contract/rows.ts';
import type { ExtensionBrowser } from '../../tools/browser/extension-browser.ts';
import { openWorkerFolder } from '../support/browser/run-folder.ts';
import { launchWith } from '../support/browser/shared-browser.ts';

const browserName = inject('browserName');
const manner = browserName === 'firefox' ? 'firefox' : 'chromium';

let browser: ExtensionBrowser;
let provider: ContractProvider;
/** The page that asks for the rows, in a tab that is not in front. */
let runner: ExtensionPage;

beforeAll(async () => {
  const extensionDir = await mkdtemp(join(openWorkerFolder(), 'contract-'));
  await buildProbe(browserName, extensionDir);
  provider = await startContractProvider(async (wanted) => void (await acts[wanted]?.()));
  browser = await launchWith(extensionDir);
  // A window that has just appeared may close its first popup at once. This one is opened again until it stays.
  await browser.openPopup();
  await browser.closePopup();
  runner = await openExtensionPage();
});
afterAll(async () => {
  await runner.close();
  await browser.close();
  provider.close();
});

/** Closes the window of another site, or the page of the extension, that is open. */
let end: () => Promise<void> = () => Promise.resolve();

const acts: Partial<Record<Act, () => Promise<unknown>>> = {
  'the user closes the window': async () => (await browser.waitForSignInWindow()).close(),
  'the user closes the popup': () => browser.closePopup(),
  'the worker ends': () => browser.stopWorker(),
  'another site opens a window': openOtherWindow,
  'the user follows a link to a page with 401': () => follow('/401'),
  'the user follows a link to a mail program': () => follow('mailto:ada@example.com'),
  'the user clicks a slow link twice': () => follow('/hangs', 2),
  'the user types in the window': typeInWindow,
  'the page asks whether to leave it': () => asked,
  'the window becomes a tab': moveWindow,
  'a page opens that holds a lock': () => openPage('lock'),
  'a page opens that holds a line': () => openPage('line'),
  'the other page closes': () => end(),
};

/** Clicks a link in the sign-in window, after which its page may be gone. */
async function follow(address: string, times = 1): Promise<void> {
  const page = await browser.waitForSignInWindow();
  await page.evaluate(
    (href, clicks) => {
      const link = document.createElement('a');
      link.href = href;
      document.body.append(link);
      for (let click = 0; click < clicks; click += 1) setTimeout(() => link.click(), 50 + 200 * click);
    },
    address,
    times,
  );
}

/** Resolves when the page asks the user whether to leave it. */
let asked: Promise<void> = Promise.resolve();

async function typeInWindow(): Promise<void> {
  const page = await browser.waitForSignInWindow();
  // Chromium gives way only if the question has been on the screen for half a second.
  asked = new Promise((resolve) => page.once('dialog', () => setTimeout(resolve, 1_000)));
  await page.click('input');
  await page.type('input', 'Ada');
}

/** Moves the tab of the sign-in window to the ordinary window, as other extensions do. */
async function moveWindow(): Promise<void> {
  await runner.page.evaluate(`(async () => {
    const { tabs, windows } = globalThis.browser ?? globalThis.chrome;
    const [{ id }] = await tabs.query({ windowType: 'popup' });
    const [{ id: windowId }] = await windows.getAll({ windowTypes: ['normal'] });
    await tabs.move(id, { windowId, index: -1 });
  })()`);
}

async function openOtherWindow(): Promise<void> {
  await browser.home.goto(`${provider.address}/asks`);
  const before = browser.browser.targets();
  await browser.home.evaluate(() => void window.open('/asks', '_blank', 'popup,width=300,height=300'));
  const page = await browser.waitForSignInWindow(before);
  end = async () => {
    await page.close();
    await browser.home.goto('about:blank');
  };
}

/** Resolves when the page holds it. */
async function openPage(what: 'lock' | 'line'): Promise<void> {
  const { page, close } = await openExtensionPage();
  await page.evaluate(`import('/page.js').then(({ hold }) => hold('${what}', '${provider.address}'))`);
  end = close;
}

interface ExtensionPage {
  readonly page: Page;
  close(): Promise<void>;
}

function openExtensionPage(): Promise<ExtensionPage> {
  return new Promise((resolve, reject) => {
    const closed = browser.withExtensionPage(
      (page) =>
        new Promise<void>((release) => {
          resolve({ page, close: () => (release(), closed) });
        }),
    );
    closed.catch(reject);
  });
}

test.each(rows.map((row, number) => ({ ...row, number })))('$behaviour', async (row) => {
  const { number, in: place = 'worker' } = row;
  const { address } = provider;
  provider.reset();
  await browser.home.bringToFront();
  // As text, because the imports of a function would be those of the tests.
  const run =
    place === 'worker'
      ? `browser.runtime.sendMessage(${JSON.stringify({ row: number, provider: address })})`
      : `import('/page.js').then(({ runInPage }) => runInPage(${number}, '${address}'))`;
  const notes = (await runner.page.evaluate(run)) as string[];
  expect(notes.join('\n')).toBe(notesIn(row, manner).join('\n'));
});
