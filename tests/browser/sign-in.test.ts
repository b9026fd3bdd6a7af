import { expect, onTestFinished, test } from 'vitest';
import { asa, marisol } from '../../tools/demo-provider/people.ts';
import {
  approve,
  popupWith,
  press,
  popupWithProblem,
  setUpExtension,
  signIn,
  startSignIn,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

test('a person signs in from the toolbar popup, in the real sign-in window, and sees who they are', async () => {
  const extension = await setUpExtension();
  const popup = await signIn(extension);
  const text = await popup.$eval('main', (main) => main.innerText);
  expect(text).toContain(marisol.name);
  expect(text).toContain(marisol.email);
  expect(await popup.$('[data-region="feature"]')).not.toBeNull();
  expect(await popup.$('[data-action="sign-out"]')).not.toBeNull();
  expect(await popup.$('[data-problem]')).toBeNull();
});

test.runIf(isOfThisBrowser(0))(
  'after the window has closed, the worker asks the provider for tokens and nothing else',
  async () => {
    const extension = await setUpExtension();
    await signIn(extension);
    const paths = extension.demo.requests.map(({ path }) => path);
    const exchanges = paths.filter((path) => /^\/(\.well-known|jwks|token|userinfo)/.test(path));
    expect(exchanges).toEqual(['/.well-known/openid-configuration', '/jwks', '/token']);
  },
);

test.runIf(isOfThisBrowser(0))(
  'a popup that was closed during a sign-in shows the current state when it is opened again',
  async () => {
    const extension = await setUpExtension();
    const window = await startSignIn(extension);
    await extension.browser.closePopup();
    const reopened = await popupWith(extension, 'signing-in');
    expect(await reopened.$('[data-action="cancel"]')).not.toBeNull();
    await extension.browser.closePopup();
    await approve(window);
    const popup = await popupWith(extension, 'signed-in');
    expect(await popup.$eval('main', (main) => main.innerText)).toContain(marisol.name);
  },
);

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

// That the browser lets the worker open the popup, the test before shows in both.
test.runIf(isOfThisBrowser(1))(
  'the popup opens by itself and says so when access is denied while no page of the extension is open',
  async () => {
    const extension = await setUpExtension();
    const { browser } = extension;
    const window = await startSignIn(extension);
    await browser.closePopup();
    await press(window, `button[name="account"][value="${asa.id}"]`);
    await press(window, 'button[name="deny"]');
    await expect.poll(() => browser.findPopup(), { timeout: 20_000 }).not.toBeNull();
    const popup = await browser.findPopup();
    await popup?.waitForSelector('main[data-status="signed-out"] [data-problem="denied"]');
  },
);

test('Cancel closes the window, and needs no notice', async () => {
  const extension = await setUpExtension();
  const window = await startSignIn(extension);
  const closed = new Promise((resolve) => window.once('close', resolve));
  await press(await popupWith(extension, 'signing-in'), '[data-action="cancel"]');
  await closed;
  const popup = await popupWith(extension, 'signed-out');
  expect(await popup.$('[data-problem]')).toBeNull();
});

test('closing the window cancels the sign-in too, and the popup says so in a quiet note', async () => {
  const extension = await setUpExtension();
  await startSignIn(extension);
  await extension.browser.closeSignInWindow();
  await popupWithProblem(extension, 'cancelled');
});

test.runIf(isOfThisBrowser(0))('a person who denies access is told so, and can begin again', async () => {
  const extension = await setUpExtension();
  const window = await startSignIn(extension);
  await press(window, `button[name="account"][value="${asa.id}"]`);
  await press(window, 'button[name="deny"]');
  await popupWithProblem(extension, 'denied');
  await signIn(extension, asa);
});

test.runIf(isOfThisBrowser(0))('the popup reports a provider that is down as unreachable', async () => {
  const extension = await setUpExtension();
  await extension.demo.close();
  const popup = await popupWith(extension, 'signed-out');
  await press(popup, '[data-provider="demo"]');
  await popupWithProblem(extension, 'provider-unreachable');
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

test.runIf(isOfThisBrowser(1))('a name that only UserInfo returns appears by itself', async () => {
  const extension = await setUpExtension({ provider: { profileInIdToken: false } });
  const popup = await signIn(extension);
  await popup.waitForFunction((name) => document.body.innerText.includes(name), {}, marisol.name);
});
