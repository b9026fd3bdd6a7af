// A sign-in with a code, in a real browser: the popup shows it, a tab takes it, and the popup shows who signed in.

import { expect, onTestFinished, test } from 'vitest';
import { deviceClientId } from '../../tools/demo-provider/protocol.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import { popupWith, press, readStorage, setUpExtension, textOf } from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

test.runIf(isOfThisBrowser(0))(
  'a user enters the code on the page that the popup opens, and the popup shows who they are',
  async () => {
    const extension = await setUpExtension({
      configuration: { clientId: deviceClientId, deviceFlow: 'only' },
    });
    const { browser, demo } = extension;
    await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
    const popup = await browser.waitForPopup('[data-region="device-code"]');
    const code = await popup.$eval('[data-region="device-code"]', (region) => region.textContent ?? '');
    expect(code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);

    const { board } = await readStorage(extension);
    const device = board?.session.status === 'signing-in' ? board.session.device : null;
    await press(popup, '[data-action="open-provider-page"]');
    // Its form sends itself, and ends with the same session as that of any other tab.
    const isOpened = () => demo.requests.some(({ method, path }) => method === 'POST' && path === '/device');
    await expect.poll(isOpened).toBe(true);
    // Firefox tells WebDriver nothing of a tab that an extension's popup has opened, so the user is in one of their own.
    const tab = await browser.browser.newPage();
    onTestFinished(() => tab.close().catch(() => undefined));
    await tab.goto(device?.verificationUri ?? '');
    await tab.waitForSelector('button[name="same"]');
    expect(await textOf(tab)).toContain(code);
    const answers = ['[name="same"]', `[name="account"][value="${marisol.id}"]`, '[name="allow"]'];
    for (const answer of answers) await press(tab, `button${answer}`);

    const signedIn = await popupWith(extension, 'signed-in');
    expect(await textOf(signedIn)).toContain(marisol.name);
    expect(JSON.stringify(await readStorage(extension))).not.toContain(code);
  },
);
