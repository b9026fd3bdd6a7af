// A provider of plain OAuth 2 in a real browser: the sign-in window, the session, its end. Nothing of it depends on the
// browser that the tests with the demo provider do not show, so one browser runs it.

import { expect, onTestFinished, test } from 'vitest';
import { redirectUris } from '../../tools/redirect-uris.ts';
import {
  manifest,
  popupWith,
  preferredPorts,
  press,
  setUpExtension,
  startSignIn,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import { startPlainServer } from '../support/plain-server.ts';

test.runIf(isOfThisBrowser(0))(
  'a person signs in with plain OAuth 2, stays signed in, and signs out',
  async () => {
    const uris = Object.values(redirectUris(manifest, 'demo'));
    const server = await startPlainServer('latchkey', uris, 'github', preferredPorts.echo);
    onTestFinished(() => server.close());
    const extension = await setUpExtension({
      configuration: { issuer: server.origin, clientId: 'latchkey', ...server.configuration },
    });

    const window = await startSignIn(extension);
    await press(window, '#allow');
    const popup = await popupWith(extension, 'signed-in');
    expect(await popup.$eval('main', ({ textContent }) => textContent)).toContain('Ada Lovelace');
    expect(server.working()).toHaveLength(1);
    await extension.browser.closePopup();

    await extension.restartBrowser();
    const again = await popupWith(extension, 'signed-in');
    await again.evaluate(() => document.querySelector<HTMLElement>('[data-action="sign-out"]')?.click());
    await popupWith(extension, 'signed-out');
    await expect.poll(server.working).toEqual([]);
  },
);
