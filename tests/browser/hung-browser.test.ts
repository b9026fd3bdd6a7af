// Calls that real Chromium never answers. tests/background/failing-calls.test.ts lets each call hang in each scene.

import { expect, test } from 'vitest';
import {
  browserName,
  popupWith,
  press,
  setUpExtension,
  signIn,
  startSignIn,
  type Extension,
} from '../support/browser/setup.ts';
import { isLong } from '../support/extent.ts';

type Api = Record<string, Record<string, Record<string, () => Promise<unknown>>>>;

/** Lets `storage.local.set` or `tabs.query` hang from now on. */
async function letHang({ browser }: Extension, call: 'storage.local.set' | 'tabs.query'): Promise<void> {
  const target = await browser.browser.waitForTarget((one) => one.type() === 'service_worker');
  const worker = await target.worker();
  await worker?.evaluate((name) => {
    const { chrome, browser: standard } = globalThis as unknown as { chrome: Api; browser?: Api };
    const never = () => new Promise<never>(() => undefined);
    for (const api of [chrome, standard]) {
      if (name === 'tabs.query') Object.assign(api?.['tabs'] ?? {}, { query: never });
      else Object.assign(api?.['storage']?.['local'] ?? {}, { set: never });
    }
  }, call);
}

/** Holds all stores of the worker's database, as a page of this extension. */
async function holdDatabase({ browser }: Extension): Promise<void> {
  await browser.evaluateInExtension(
    () =>
      new Promise<void>((resolve) => {
        const opened = indexedDB.open('latchkey');
        opened.addEventListener('success', () => {
          const transaction = opened.result.transaction(['keys', 'vault', 'providers'], 'readwrite');
          const hold = () => {
            const asked = transaction.objectStore('keys').get('nothing');
            asked.addEventListener('success', () => {
              resolve();
              hold();
            });
          };
          hold();
        });
      }),
  );
}

test.runIf(browserName === 'chrome' && isLong)(
  'a person can sign out while the database never answers, and stays signed out',
  async () => {
    const extension = await setUpExtension();
    extension.discardBrowser();
    const popup = await signIn(extension);
    await holdDatabase(extension);
    await popup.$eval('[data-action="sign-out"]', (button) => (button as HTMLButtonElement).click());
    await popup.waitForSelector('main[data-status="signed-out"]', { timeout: 60_000 });
    await extension.browser.closePopup();
    await extension.browser.stopWorker();
    await popupWith(extension, 'signed-out');
  },
);

test.runIf(browserName === 'chrome' && isLong)(
  'a person who signs out while the storage never answers is told so, and is signed out',
  async () => {
    const extension = await setUpExtension();
    extension.discardBrowser();
    const popup = await signIn(extension);
    await letHang(extension, 'storage.local.set');
    await popup.$eval('[data-action="sign-out"]', (button) => (button as HTMLButtonElement).click());
    await popup.waitForSelector('[data-problem="storage-failed"]', { timeout: 60_000 });
    await expect.poll(() => extension.demo.requests.map(({ path }) => path)).toContain('/revoke');
  },
);

test.runIf(browserName === 'chrome' && isLong)(
  'a person can cancel a sign-in while the browser does not tell of its windows',
  async () => {
    const extension = await setUpExtension();
    extension.discardBrowser();
    await startSignIn(extension);
    await letHang(extension, 'tabs.query');
    await press(await popupWith(extension, 'signing-in'), '[data-action="cancel"]');
    await popupWith(extension, 'signed-out');
  },
);
