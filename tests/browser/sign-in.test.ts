import { expect, onTestFinished, test } from 'vitest';
import { marisol } from '../../tools/demo-provider/people.ts';
import {
  approve,
  popupWith,
  popupWithProblem,
  press,
  setUpExtension,
  signIn,
  startSignIn,
  textOf,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

test('a user signs in from the toolbar popup, in the real sign-in window, and sees who they are', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  const text = await textOf(popup);
  expect(text).toContain(marisol.name);
  expect(text).toContain(marisol.email);
  expect(await popup.$('[data-region="feature"]')).not.toBeNull();
  expect(await popup.$('[data-action="sign-out"]')).not.toBeNull();
  expect(await popup.$('[data-problem]')).toBeNull();
});

test.runIf(isOfThisBrowser(1))(
  'the popup opens by itself when a sign-in ends and no page of the extension is open',
  async () => {
    const extension = await setUpExtension();
    const window = await startSignIn(extension);
    await extension.browser.closePopup();
    await approve(window);
    await expect.poll(() => extension.browser.findPopup(), { timeout: 20_000 }).not.toBeNull();
    const popup = await extension.browser.findPopup();
    await popup?.waitForSelector('main[data-status="signed-in"]');
  },
);

test.runIf(isOfThisBrowser(1))('Cancel closes the window, and needs no notice', async () => {
  const extension = await setUpExtension();
  const window = await startSignIn(extension);
  const closed = new Promise((resolve) => window.once('close', resolve));
  await press(await popupWith(extension, 'signing-in'), '[data-action="cancel"]');
  await closed;
  const popup = await popupWith(extension, 'signed-out');
  expect(await popup.$('[data-problem]')).toBeNull();
});

test.runIf(isOfThisBrowser(0))(
  'closing the window cancels the sign-in too, and the popup says so in a quiet note',
  async () => {
    const extension = await setUpExtension();
    await startSignIn(extension);
    await extension.browser.closeSignInWindow();
    await popupWithProblem(extension, 'cancelled');
  },
);

test.runIf(isOfThisBrowser(0))(
  'a sign-in that begins offline says so, and works when the network is back',
  async () => {
    const extension = await setUpExtension();
    const { browser } = extension;
    // Chromium takes the network from a worker that runs. No popup has made this one ask the provider yet.
    await expect.poll(() => browser.isWorkerRunning()).toBe(true);
    await browser.setOffline(true);
    onTestFinished(() => browser.setOffline(false));
    const popup = await popupWith(extension, 'signed-out');
    await press(popup, '[data-provider="demo"]');
    await popupWithProblem(extension, 'offline');

    await browser.setOffline(false);
    await signIn(extension);
  },
);
