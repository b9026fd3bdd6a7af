import { expect, test } from 'vitest';
import { marisol } from '../../tools/demo-provider/people.ts';
import {
  click,
  popupWith,
  press,
  readWorkerStarts,
  setUpExtension,
  signIn,
  textOf,
} from '../support/browser/setup.ts';
import { mounted } from '../support/browser/sample.ts';
import { isLong } from '../support/extent.ts';
import { readFaces } from '../support/browser/faces.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

test('a user signs in from the toolbar popup, sees who they are also while the worker sleeps, and wakes it with a click', async () => {
  const extension = await setUpExtension();
  const first = await signIn(extension);
  const text = await textOf(first);
  expect(text).toContain(marisol.name);
  expect(text).toContain(marisol.email);
  expect(await first.$('[data-problem]')).toBeNull();
  await extension.browser.closePopup();
  await extension.browser.stopWorker();
  const popup = await popupWith(extension, 'signed-in');
  await click(popup, '[data-action="sign-out"]');
  await popup.waitForSelector('main[data-status="signed-out"]');
});

// Chromium keeps an idle worker for 30 s, and Firefox as long as its settings say.
test.runIf(isLong)(
  'after the browser has ended the idle worker, the popup shows the session before the next one starts, the feature gets data and a click works',
  async () => {
    const timeout = 60_000;
    const extension = await setUpExtension({
      feature: 'sample',
      recordsFaces: true,
      firefoxPreferences: { 'extensions.background.idle.timeout': 1_000 },
    });
    const { browser, demo } = extension;
    const ended = async () => {
      await expect.poll(() => browser.isWorkerRunning(), { timeout }).toBe(false);
    };
    await signIn(extension);
    await browser.closePopup();
    await ended();
    // Shows the data that the feature asks for.
    const popup = await mounted(await popupWith(extension, 'signed-in'));
    expect(await popup.$eval('[data-sample="answer"]', ({ textContent }) => textContent)).toContain(
      marisol.name,
    );
    const openedAtMs = await popup.evaluate(() => performance.timeOrigin);
    const faces = await readFaces(popup);
    expect(faces.map(({ face }) => face.status)).toEqual(['starting', 'signed-in']);
    await expect.poll(() => readWorkerStarts(extension)).toHaveLength(2);
    const [, startedAtMs] = await readWorkerStarts(extension);
    expect(openedAtMs + (faces[1]?.atMs ?? Infinity)).toBeLessThan(startedAtMs ?? 0);

    // Also while the popup stays open.
    await ended();
    await click(popup, '[data-action="sign-out"]');
    await popup.waitForSelector('main[data-status="signed-out"]');
    await expect.poll(() => demo.requests.map(({ path }) => path)).toContain('/revoke');
  },
  240_000,
);

test.runIf(isOfThisBrowser(0))('a sign-out everywhere ends the session at the provider too', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  await click(popup, '[data-action="sign-out-everywhere"]');
  const window = await extension.browser.waitForSignInWindow();
  await popupWith(extension, 'signed-out');
  const closed = new Promise((resolve) => window.once('close', resolve));
  await press(window, 'button[name="logout"]');
  await closed;
  const after = await popupWith(extension, 'signed-out');
  await expect.poll(() => textOf(after)).toContain('signed out here and out of Demo provider');

  // The provider no longer has a session, so it asks for the account.
  await press(after, '[data-provider="demo"]');
  const next = await extension.browser.waitForSignInWindow();
  await next.waitForSelector('button[name="account"]');
});

test.runIf(isLong)('a session with persistence `browser` ends with the browser', async () => {
  const extension = await setUpExtension({ persistence: 'browser' });
  await signIn(extension);
  await extension.restartBrowser();
  await popupWith(extension, 'signed-out');
});
