// An administrator's policy in a real browser: it chooses the provider, changes while somebody is signed in, is wrong, and
// goes away.

import { inject, onTestFinished, test, expect } from 'vitest';
import type { Page } from 'puppeteer-core';
import { launchExtensionBrowser, type ExtensionBrowser } from '../../tools/browser/extension-browser.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { buildOnce } from '../support/browser/builds.ts';
import { canSetPolicy, copyUnderOwnId } from '../support/browser/managed.ts';
import { openWorkerFolder } from '../support/browser/run-folder.ts';
import { approve, browserName, preferredPorts, press } from '../support/browser/setup.ts';

const place = { id: 'place', name: 'Place', issuer: 'https://place.invalid', clientId: 'place' };

async function setUpManaged() {
  // The port is part of a build, and the client's redirect URI part of the provider.
  const { provider: port } = preferredPorts;
  const issuer = `http://localhost:${port}`;
  const demo = { id: 'demo', name: 'Demo provider', issuer, clientId: 'latchkey-demo' };
  const built = await buildOnce({ providers: [place, demo] }, 'none');
  const copy = await copyUnderOwnId(built, 'demo');
  const running = await startDemoProvider({ redirectUris: [copy.redirectUri], port });
  onTestFinished(() => running.close());
  expect(running).toMatchObject({ issuer, clientId: demo.clientId });
  return copy;
}

function launch(extensionDir: string): Promise<ExtensionBrowser> {
  return launchExtensionBrowser(browserName, {
    extensionDir,
    executablePath: inject('executablePath'),
    headless: true,
    language: 'en-US',
    temporaryDir: openWorkerFolder(),
  });
}

const offered = (popup: Page) =>
  popup.$$eval('[data-provider]', (buttons) => buttons.map((button) => button.getAttribute('data-provider')));
const read = (popup: Page) => popup.$eval('main', (main) => main.innerText.replace(/[\u2068\u2069]/g, ''));

const onlyDemo = { version: 1, managedBy: 'Acme IT', locked: true, providers: [{ id: 'demo' }] };
const onlyPlace = { ...onlyDemo, providers: [{ id: 'place', name: 'Renamed' }] };
const wrong = { ...onlyDemo, providers: [{ id: 'demo', isuer: 'https://place.invalid' }] };

test.runIf(canSetPolicy && browserName === 'chrome')(
  'Chromium: a policy chooses the provider, ends the session that it excludes, is refused if it is wrong, and goes away',
  async () => {
    const { extensionDir, setPolicy } = await setUpManaged();
    await setPolicy(onlyDemo);
    const browser = await launch(extensionDir);
    onTestFinished(() => browser.close());

    // Chromium loads the policy of an extension that is installed while it runs within some seconds.
    await expect.poll(async () => offered(await browser.openPopup())).toEqual(['demo']);
    const first = await browser.openPopup();
    expect(await read(first)).toContain('Managed by Acme IT');
    await press(first, '[data-provider="demo"]');
    await approve(await browser.waitForSignInWindow());
    await browser.waitForPopup('main[data-status="signed-in"]');

    await setPolicy(onlyPlace);
    const ended = await browser.waitForPopup('[data-problem="not-permitted"]');
    expect(await offered(ended)).toEqual(['place']);

    await setPolicy(wrong);
    const reopened = async () => {
      await browser.closePopup();
      const popup = await browser.waitForPopup('main[data-status="signed-out"]');
      return popup.content();
    };
    // The problem of the session that has ended is shown first, and once.
    await expect.poll(reopened).toContain('policy: providers[0].isuer: unknown key');
    expect(await offered(await browser.openPopup())).toEqual(['place']);

    await setPolicy(null);
    // The account of the session that has ended comes first.
    await expect.poll(async () => offered(await browser.openPopup())).toEqual(['demo', 'place']);
    expect(await read(await browser.openPopup())).not.toContain('Managed');
  },
);

test.runIf(canSetPolicy && browserName === 'firefox')(
  'Firefox: a policy chooses the provider, and is followed when the browser restarts with another one or none',
  async () => {
    const { extensionDir, setPolicy } = await setUpManaged();
    await setPolicy(onlyDemo);
    let browser = await launch(extensionDir);
    onTestFinished(() => browser.close());
    const first = await browser.waitForPopup('main[data-status="signed-out"]');
    expect(await offered(first)).toEqual(['demo']);
    expect(await read(first)).toContain('Managed by Acme IT');

    await setPolicy(onlyPlace);
    browser = await browser.restart();
    await expect.poll(async () => offered(await browser.openPopup())).toEqual(['place']);

    await setPolicy(null);
    browser = await browser.restart();
    await expect.poll(async () => offered(await browser.openPopup())).toEqual(['place', 'demo']);
  },
);
