// The scene of the tests of an administrator's policy: a demo provider, and a copy of the extension with a policy of its own.

import type { Page } from 'puppeteer-core';
import { expect, inject, onTestFinished } from 'vitest';
import { launchExtensionBrowser, type ExtensionBrowser } from '../../../tools/browser/extension-browser.ts';
import { startDemoProvider, type DemoProvider } from '../../../tools/demo-provider/provider.ts';
import { buildOnce } from './builds.ts';
import { copyUnderOwnId, type ManagedExtension } from './managed.ts';
import { openWorkerFolder } from './run-folder.ts';
import { approve, browserName, preferredPorts, press } from './setup.ts';

interface ManagedScene extends ManagedExtension {
  readonly demo: DemoProvider;
  /** Starts the browser with the copy. The caller closes it. */
  launch(): Promise<ExtensionBrowser>;
}

const place = { id: 'place', name: 'Place', issuer: 'https://place.invalid', clientId: 'place' };

/** Starts the provider. The build offers `place`, which does not exist, and `demo`. */
export async function setUpManaged(): Promise<ManagedScene> {
  // The port is part of a build, and the client's redirect URI part of the provider.
  const { provider: port } = preferredPorts;
  const issuer = `http://localhost:${port}`;
  const provider = { id: 'demo', name: 'Demo provider', issuer, clientId: 'latchkey-demo' };
  const built = await buildOnce({ providers: [place, provider] }, 'none');
  const copy = await copyUnderOwnId(built, 'demo');
  const demo = await startDemoProvider({ redirectUris: [copy.redirectUri], port });
  onTestFinished(() => demo.close());
  expect(demo).toMatchObject({ issuer, clientId: provider.clientId });
  return {
    ...copy,
    demo,
    launch: () => launchWith(copy.extensionDir),
  };
}

/** Starts the browser with the extension in `extensionDir`. The caller closes it. */
export function launchWith(
  extensionDir: string,
  executablePath = inject('executablePath'),
): Promise<ExtensionBrowser> {
  return launchExtensionBrowser(browserName, {
    extensionDir,
    executablePath,
    headless: true,
    language: 'en-US',
    temporaryDir: openWorkerFolder(),
    savesWork: true,
  });
}

/** Offers the demo provider alone. */
export const onlyDemo = { version: 1, managedBy: 'Acme IT', locked: true, providers: [{ id: 'demo' }] };
/** Offers the other provider alone. */
export const onlyPlace = { ...onlyDemo, providers: [{ id: 'place', name: 'Renamed' }] };
/** Has a misspelled key. */
export const misspelled = { ...onlyDemo, providers: [{ id: 'demo', isuer: 'https://place.invalid' }] };

/** The ids of the providers that the popup offers. */
export const offered = (popup: Page) =>
  popup.$$eval('[data-provider]', (buttons) => buttons.map((button) => button.getAttribute('data-provider')));

/** The popup's text. */
export const read = (popup: Page) =>
  popup.$eval('main', (main) => main.innerText.replace(/[\u2068\u2069]/g, ''));

/** Opens the popup anew, and returns it with who is signed out. */
export async function reopen(browser: ExtensionBrowser): Promise<Page> {
  await browser.closePopup();
  return browser.waitForPopup('main[data-status="signed-out"]');
}

/** How long to poll for a changed policy: Chromium reads a file five seconds after it has changed, or later. */
export const arrival = { timeout: 30_000 };

/** Signs the first person in at the demo provider, and returns the popup that shows them. */
export async function signInByClick(browser: ExtensionBrowser): Promise<Page> {
  await press(await browser.openPopup(), '[data-provider="demo"]');
  await approve(await browser.waitForSignInWindow());
  return browser.waitForPopup('main[data-status="signed-in"]');
}
