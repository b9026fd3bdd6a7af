// Tokens stay in the worker: the tests sign in with known tokens and search everything outside the worker for them.

import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { marisol } from '../../tools/demo-provider/people.ts';
import {
  browserName,
  click,
  popupWith,
  readStorage,
  setUpExtension,
  signIn,
  soonStaleSeconds,
  untilStale,
  type Extension,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

/** Returns everything that an extension page can read: both storage areas, and the raw records of the database. */
function readEverythingStored({ browser }: Extension): Promise<string> {
  return browser.evaluateInExtension(async () => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('latchkey');
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(opening.error ?? new Error('not opened')));
    });
    const transaction = database.transaction([...database.objectStoreNames]);
    const records = await Promise.all(
      [...database.objectStoreNames].map(
        (name) =>
          new Promise<unknown[]>((resolve) => {
            const reading = transaction.objectStore(name).getAll();
            reading.addEventListener('success', () => resolve(reading.result as unknown[]));
          }),
      ),
    );
    const bytes = (value: unknown): unknown => {
      if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
      return ArrayBuffer.isView(value) ? new TextDecoder('latin1').decode(value) : value;
    };
    return JSON.stringify(
      [await chrome.storage.local.get(), await chrome.storage.session.get(), records],
      (_key, value: unknown) => bytes(value),
    );
  });
}

/** Returns all strings of the page's JavaScript heap. */
async function readHeap(page: Page): Promise<string> {
  const session = await page.createCDPSession();
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}

test.runIf(isOfThisBrowser(1))(
  'no token is outside the worker: not in storage, not readable in the database, not in the popup',
  async () => {
    const extension = await setUpExtension({
      provider: { accessTokenSeconds: soonStaleSeconds },
      feature: 'sample',
    });
    const told: string[] = [];
    const first = await popupWith(extension, 'signed-out');
    first.on('console', (message) => told.push(message.text()));
    const popup = await signIn(extension);
    popup.on('console', (message) => told.push(message.text()));
    // Includes the tokens of a renewal.
    await extension.browser.closePopup();
    await untilStale();
    await popupWith(extension, 'signed-in');
    await expect
      .poll(() => extension.demo.requests.filter(({ grantType }) => grantType === 'refresh_token').length)
      .toBeGreaterThan(0);

    const shown = await popupWith(extension, 'signed-in');
    // Includes a token that a feature has used.
    await shown.waitForSelector('[data-sample="answer"]');
    const places: Record<string, string> = {
      'what is stored': await readEverythingStored(extension),
      'the popup': await shown.content(),
      'what was logged': told.join('\n'),
    };
    // Firefox gives the heap only to its own developer tools.
    if (browserName === 'chrome') places["the popup's heap"] = await readHeap(shown);

    // The last is the feature's own.
    expect(Object.keys(await readStorage(extension)).toSorted()).toEqual([
      'board',
      'journal',
      'policy',
      'sample',
    ]);
    const { issuedTokens } = extension.demo;
    expect(issuedTokens.length).toBeGreaterThanOrEqual(5);
    for (const [place, text] of Object.entries(places)) {
      for (const token of issuedTokens) expect(text.includes(token), `a token is in ${place}`).toBe(false);
    }
    // The search does find text that is there.
    for (const place of ['what is stored', 'the popup']) expect(places[place]).toContain(marisol.email);
    if (browserName === 'chrome') expect(places["the popup's heap"]).toContain(marisol.email);
  },
);

test.runIf(isOfThisBrowser(0))('nothing of the session can be read after a sign-out', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  await click(popup, '[data-action="sign-out"]');
  await popupWith(extension, 'signed-out');
  const popupAfter = await popupWith(extension, 'signed-out');
  // The account, until the user removes it.
  expect(await readEverythingStored(extension)).toContain(marisol.email);
  await popupAfter.click('[data-action="forget-account"]');
  await popupAfter.waitForSelector('[data-action="undo"]');
  expect(await readEverythingStored(extension)).not.toContain('marisol');
});
