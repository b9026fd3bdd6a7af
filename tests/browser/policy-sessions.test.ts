// The sessions under an administrator's policy, in a real browser: how long they are kept, and the sign-in without
// a click.

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ExtensionBrowser } from '../../tools/browser/extension-browser.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import {
  arrival,
  expectPolicies,
  onlyDemo,
  reopen,
  setUpManaged,
  signInByClick,
} from '../support/browser/managed.ts';
import { click, textOf } from '../support/browser/setup.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

vi.setConfig({ testTimeout: 180_000 });

beforeEach(expectPolicies);

interface Stored {
  readonly policy?: unknown;
  readonly signedIn: boolean;
}

/** The extension's storage. Reading it does not wake the worker. */
function storedBy(browser: ExtensionBrowser): Promise<Stored> {
  return browser.evaluateInExtension(async () => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    const [local, session] = await Promise.all([chrome.storage.local.get(), chrome.storage.session.get()]);
    const board = session['board'] as { session: { status: string } } | undefined;
    const { policy } = (local['policy'] ?? {}) as { policy?: unknown };
    return { policy, signedIn: board?.session.status === 'signed-in' };
  });
}

test('a policy keeps the session in memory alone, and signs in without a click or a window: when the popup opens, and when the browser starts, but not after a sign-out', async () => {
  const { setPolicy, launch, demo } = await setUpManaged();
  const inMemory = { ...onlyDemo, persistence: 'browser' };
  await setPolicy(inMemory);
  let browser = await launch();
  onTestFinished(() => browser.close());
  /** Restarts the browser, which knows the policy then. */
  const restartWith = async (policy: object) => {
    await setPolicy(policy);
    browser = await browser.restart();
    await expect.poll(async () => (await storedBy(browser)).policy, arrival).toEqual(policy);
  };
  const windows = () => browser.evaluateInExtension(countWindows);
  const prompts = () => demo.requests.filter(({ path }) => path === '/auth').length;
  await restartWith(inMemory);
  // The former session was kept on the device, and so is what the worker of the first start knows.
  browser = await browser.restart();
  await signInByClick(browser);
  expect((await storedBy(browser)).signedIn).toBe(true);
  browser = await browser.restart();
  await browser.waitForPopup('main[data-status="signed-out"]');
  const asked = prompts();

  await restartWith({ ...inMemory, autoSignIn: 'popup' });
  expect((await storedBy(browser)).signedIn).toBe(false);
  await browser.closePopup();
  const popup = await browser.waitForPopup('main[data-status="signed-in"]');
  expect(await textOf(popup)).toContain(marisol.name);
  expect(await windows()).toBe(1);
  expect(prompts()).toBeGreaterThan(asked);

  await browser.closePopup();
  await restartWith({ ...inMemory, autoSignIn: 'startup' });
  browser = await browser.restart();
  await expect.poll(async () => (await storedBy(browser)).signedIn, arrival).toBe(true);
  expect(await windows()).toBe(1);

  const last = await browser.waitForPopup('main[data-status="signed-in"]');
  await click(last, '[data-action="sign-out"]');
  await browser.waitForPopup('main[data-status="signed-out"]');
  const before = prompts();
  browser = await browser.restart();
  await reopen(browser);
  await reopen(browser);
  await restartWith({ ...inMemory, autoSignIn: 'startup' });
  expect((await storedBy(browser)).signedIn).toBe(false);
  expect(prompts()).toBe(before);
});

function countWindows(): Promise<number> {
  const { chrome } = globalThis as unknown as ExtensionGlobal;
  return chrome.windows.getAll().then(({ length }) => length);
}
