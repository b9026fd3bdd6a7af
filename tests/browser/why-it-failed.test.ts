// A sign-in page that the provider refuses to show: the diagnosis, and the problem that the user sees.

import { expect, test } from 'vitest';
import { redirectUris } from '../../tools/redirect-uris.ts';
import {
  browserName,
  manifest,
  popupWith,
  popupWithProblem,
  press,
  readStorage,
  setUpExtension,
  startSignIn,
  type BrowserSetup,
} from '../support/browser/setup.ts';

const redirectUri = redirectUris(manifest, 'demo')[browserName];

const refused: [string, BrowserSetup, object][] = [
  [
    'a redirect URI that is not registered',
    { provider: { redirectUris: ['https://elsewhere.example/demo'] } },
    { cause: 'redirect-uri', certainty: 'known', register: redirectUri },
  ],
  [
    'a client that the provider does not know',
    { configuration: { clientId: 'nobody' } },
    { cause: 'client', certainty: 'known', register: 'nobody' },
  ],
];

test.runIf(browserName === 'chrome').each(refused)(
  'the diagnosis names %s, although the browser shows nothing of the page',
  async (_title, setup, diagnosis) => {
    const extension = await setUpExtension(setup);
    await press(await popupWith(extension, 'signed-out'), '[data-provider="demo"]');
    await popupWithProblem(extension, 'provider-misconfigured');
    const { board } = await readStorage(extension);
    expect(board?.session).toMatchObject({ status: 'signed-out', problem: { diagnosis } });
  },
);

// Firefox shows the provider's own page in the window.
test.runIf(browserName === 'firefox').each(refused.slice(0, 1))(
  'the diagnosis names %s when the user closes the window with the page that says so',
  async (_title, setup, diagnosis) => {
    const extension = await setUpExtension(setup);
    const window = await startSignIn(extension);
    await window.waitForFunction(() => document.body.innerText.includes("This didn't work"));
    await extension.browser.closeSignInWindow();
    await popupWithProblem(extension, 'provider-misconfigured');
    const { board } = await readStorage(extension);
    expect(board?.session).toMatchObject({ status: 'signed-out', problem: { diagnosis } });
  },
);

test.runIf(browserName === 'chrome')(
  'a window that the browser closes because of a click in it opens once more, and then the popup says so',
  async () => {
    const extension = await setUpExtension();
    const first = await startSignIn(extension);
    const follow = (window: typeof first) =>
      window.evaluate(() => setTimeout(() => (location.href = 'mailto:ada@example.com'), 100));
    const before = extension.browser.browser.targets();
    await follow(first);
    const second = await extension.browser.waitForSignInWindow(before);
    await second.waitForSelector('form');
    await follow(second);
    await popupWithProblem(extension, 'interrupted');
    const { board } = await readStorage(extension);
    expect(board?.session).toMatchObject({ problem: { window: 'closed-by-browser' } });
  },
);
