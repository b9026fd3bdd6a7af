import { setTimeout as pass } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { asa, marisol } from '../../tools/demo-provider/people.ts';
import {
  approve,
  popupWith,
  popupWithProblem,
  press,
  readWorkerStarts,
  setUpExtension,
  signIn,
  type Extension,
  soonStaleSeconds,
  untilStale,
} from '../support/browser/setup.ts';
import { ask, mounted } from '../support/browser/sample.ts';
import { sendOpen } from '../support/browser/send-open.ts';
import { isLong } from '../support/extent.ts';
import { readFaces } from '../support/browser/faces.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

const grants = ({ demo }: Extension) => demo.requests.flatMap(({ grantType }) => grantType ?? []);

test('the popup shows who is signed in while the worker sleeps, and its commands wake the worker', async () => {
  const extension = await setUpExtension();
  await signIn(extension);
  await extension.browser.closePopup();
  await extension.browser.stopWorker();
  const popup = await popupWith(extension, 'signed-in');
  await popup.$eval('[data-action="sign-out"]', (button) => (button as HTMLButtonElement).click());
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
    await popup.$eval('[data-action="sign-out"]', (button) => (button as HTMLButtonElement).click());
    await popup.waitForSelector('main[data-status="signed-out"]');
    await expect.poll(() => demo.requests.map(({ path }) => path), { timeout: 10_000 }).toContain('/revoke');
  },
  240_000,
);

test.runIf(isOfThisBrowser(0))('expired tokens are renewed once when the popup opens', async () => {
  const extension = await setUpExtension({ provider: { accessTokenSeconds: soonStaleSeconds } });
  await signIn(extension);
  await extension.browser.closePopup();
  await extension.browser.stopWorker();
  await untilStale();
  const before = grants(extension).length;
  await popupWith(extension, 'signed-in');
  await expect.poll(() => grants(extension).slice(before), { timeout: 10_000 }).toEqual(['refresh_token']);
});

test.runIf(isOfThisBrowser(1))(
  'the popup reports a session that the provider has ended as expired, and the person can continue',
  async () => {
    const extension = await setUpExtension({ provider: { accessTokenSeconds: soonStaleSeconds } });
    await signIn(extension);
    await extension.browser.closePopup();
    await extension.restartProvider();
    await untilStale();
    const popup = await popupWith(extension, 'signed-out');
    await popup.waitForSelector('[data-problem="expired"]');
    expect(await popup.$eval('main', (main) => main.innerText)).toContain(marisol.name);
  },
);

test.runIf(isOfThisBrowser(0))('a sign-out takes effect at once and revokes the refresh token', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  await popup.$eval('[data-action="sign-out"]', (button) => (button as HTMLButtonElement).click());
  await popupWith(extension, 'signed-out');
  expect(await popup.$('[data-problem]')).toBeNull();
  await expect
    .poll(() => extension.demo.requests.map(({ path }) => path), { timeout: 10_000 })
    .toContain('/revoke');
});

test.runIf(isOfThisBrowser(0))(
  'a sign-out works while the provider is down, and its token is revoked later, however often the popup opened meanwhile',
  async () => {
    const extension = await setUpExtension();
    const popup = await signIn(extension);
    await extension.demo.close();
    await popup.$eval('[data-action="sign-out"]', (button) => (button as HTMLButtonElement).click());
    await popupWith(extension, 'signed-out');

    const open = () =>
      extension.browser.withExtensionPage(async (page) => {
        // More often than the maximum of attempts for a revocation.
        for (let look = 0; look < 6; look += 1) {
          await page.evaluate(sendOpen, 1);
          await pass(50);
        }
      });
    await open();
    await extension.restartProvider();
    await open();
    await expect
      .poll(() => extension.demo.requests.map(({ path }) => path), { timeout: 10_000 })
      .toContain('/revoke');
  },
);

test.runIf(isOfThisBrowser(0))('a sign-out everywhere ends the session at the provider too', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  await popup.$eval('[data-action="sign-out-everywhere"]', (button) => (button as HTMLButtonElement).click());
  const window = await extension.browser.waitForSignInWindow();
  await popupWith(extension, 'signed-out');
  const closed = new Promise((resolve) => window.once('close', resolve));
  await press(window, 'button[name="logout"]');
  await closed;
  const after = await popupWith(extension, 'signed-out');
  await after.waitForFunction(() =>
    // Invisible characters around a name isolate its direction.
    document.body.innerText
      .replace(/[\u2068\u2069]/g, '')
      .includes('signed out here and out of Demo provider'),
  );

  // The provider no longer has a session, so it asks for the account.
  await press(after, '[data-provider="demo"]');
  const next = await extension.browser.waitForSignInWindow();
  await next.waitForSelector('button[name="account"]');
});

test.runIf(isOfThisBrowser(0))('a sign-in with another account replaces the first', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  await popup.$eval('[data-action="use-another-account"]', (button) => (button as HTMLButtonElement).click());
  const window = await extension.browser.waitForSignInWindow();
  const meanwhile = await popupWith(extension, 'signing-in');
  expect(await meanwhile.$('[data-action="sign-out"]')).not.toBeNull();
  await approve(window, asa);
  const after = await popupWith(extension, 'signed-in');
  expect(await after.$eval('main', (main) => main.innerText)).toContain(asa.name);
});

test.runIf(isOfThisBrowser(1))('a cancelled change of account keeps the first account', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  await popup.$eval('[data-action="use-another-account"]', (button) => (button as HTMLButtonElement).click());
  await extension.browser.waitForSignInWindow();
  await press(await popupWith(extension, 'signing-in'), '[data-action="cancel"]');
  const after = await popupWith(extension, 'signed-in');
  expect(await after.$eval('main', (main) => main.innerText)).toContain(marisol.name);
});

test.runIf(isOfThisBrowser(0))('a session with persistence `browser` ends with the browser', async () => {
  const extension = await setUpExtension({ persistence: 'browser' });
  await signIn(extension);
  await extension.restartBrowser();
  await popupWith(extension, 'signed-out');
});

// It waits until the next renewal may begin.
test.runIf(isLong)(
  'a session stays while the browser is offline, and all goes on when the network is back',
  async () => {
    const extension = await setUpExtension({ provider: { accessTokenSeconds: 3 }, feature: 'sample' });
    const { browser, demo } = extension;
    const api = `${demo.issuer}/api/me`;
    await mounted(await signIn(extension));
    // In Chromium a page that closes gives the network back.
    await browser.closePopup();
    // These tokens end at once, so after a renewal the next one waits.
    await pass(10_000);
    await browser.setOffline(true);
    onTestFinished(() => browser.setOffline(false));
    const before = grants(extension).length;
    const popup = await popupWithProblem(extension, 'offline');
    expect(await popup.$eval('main', (main) => main.innerText)).toContain(marisol.name);
    // Until the token has ended, the request is sent with it.
    await expect
      .poll(() => ask(popup, api), { timeout: 10_000 })
      .toEqual({ error: 'FetchRefused', reason: 'renewal-failed' });
    expect(grants(extension)).toHaveLength(before);

    await browser.setOffline(false);
    // A busy machine may need longer than a token lasts, and the next renewal waits ten seconds.
    await expect.poll(() => ask(popup, api), { timeout: 30_000 }).toMatchObject({ status: 200 });
    await popup.waitForSelector('[data-problem]', { hidden: true });
  },
);

test.runIf(isOfThisBrowser(1))(
  'a sign-out takes effect at once while the browser is offline, and the token is revoked when the network is back',
  async () => {
    const extension = await setUpExtension();
    const { browser, demo } = extension;
    const paths = () => demo.requests.map(({ path }) => path);
    const popup = await signIn(extension);
    await browser.setOffline(true);
    onTestFinished(() => browser.setOffline(false));
    await popup.$eval('[data-action="sign-out"]', (button) => (button as HTMLButtonElement).click());
    await popup.waitForSelector('main[data-status="signed-out"]');
    await browser.closePopup();
    expect(paths()).not.toContain('/revoke');

    await browser.setOffline(false);
    await popupWith(extension, 'signed-out');
    await expect.poll(paths, { timeout: 10_000 }).toContain('/revoke');
  },
);
