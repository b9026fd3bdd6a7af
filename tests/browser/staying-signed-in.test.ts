import { expect, test } from 'vitest';
import { asa, marisol } from '../../tools/demo-provider/people.ts';
import {
  approve,
  popupWith,
  press,
  setUpExtension,
  signIn,
  type Extension,
} from '../support/browser/setup.ts';
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

test.runIf(isOfThisBrowser(0))('expired tokens are renewed once when the popup opens', async () => {
  const extension = await setUpExtension({ provider: { accessTokenSeconds: 1 } });
  await signIn(extension);
  await extension.browser.closePopup();
  await extension.browser.stopWorker();
  const before = grants(extension).length;
  await popupWith(extension, 'signed-in');
  await expect.poll(() => grants(extension).slice(before), { timeout: 10_000 }).toEqual(['refresh_token']);
});

test.runIf(isOfThisBrowser(1))(
  'the popup reports a session that the provider has ended as expired, and the person can continue',
  async () => {
    const extension = await setUpExtension({ provider: { accessTokenSeconds: 1 } });
    await signIn(extension);
    await extension.browser.closePopup();
    await extension.restartProvider();
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
      extension.browser.evaluateInExtension(async () => {
        const { chrome } = globalThis as unknown as {
          chrome: { runtime: { sendMessage(message: unknown): Promise<unknown> } };
        };
        // More often than the maximum of attempts for a revocation.
        for (let look = 0; look < 6; look += 1) {
          await chrome.runtime.sendMessage({ latchkey: { type: 'open' } });
          await new Promise((resolve) => setTimeout(resolve, 50));
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

test('a sign-out everywhere ends the session at the provider too', async () => {
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

  // The provider has no session any more, so it asks for the account.
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

test('a session with persistence `browser` ends with the browser', async () => {
  const extension = await setUpExtension({ persistence: 'browser' });
  await signIn(extension);
  await extension.restartBrowser();
  await popupWith(extension, 'signed-out');
});
