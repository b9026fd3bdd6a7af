import { expect, onTestFinished, test } from 'vitest';
import { marisol } from '../../tools/demo-provider/people.ts';
import {
  popupWith,
  popupWithProblem,
  press,
  setUpExtension,
  signIn,
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
