// Latchkey in extensions that existed before: each sample is installed, built and signed in, in this browser.

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ExtensionBrowser } from '../../tools/browser/extension-browser.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { packLibrary } from '../../tools/library.ts';
import {
  buildSample,
  copySample,
  findObstacle,
  sampleNames,
  type SampleName,
} from '../support/adopters/sample.ts';
import { openWorkerFolder } from '../support/browser/run-folder.ts';
import { skipIfLacking } from '../support/machine.ts';
import { approve, browserName, press } from '../support/browser/setup.ts';
import { launchWith } from '../support/browser/shared-browser.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = await mkdtemp(join(openWorkerFolder(), 'samples-'));
  ({ latchkey: tarball } = await packLibrary(join(folder, 'library')));
}, 120_000);

/** Starts a browser with the sample in it, and a provider at which its redirect URI is registered. */
async function setUpSample(name: SampleName): Promise<ExtensionBrowser> {
  const copy = join(folder, name);
  await copySample(name, copy, tarball);
  // Holds the port, which is part of the build. The redirect URI is known once the browser has loaded the build.
  const placeholder = await startDemoProvider({ redirectUris: ['https://example.com/'] });
  const { issuer } = placeholder;
  const extensionDir = await buildSample(name, copy, issuer, browserName);
  const browser = await launchWith(extensionDir);
  onTestFinished(() => browser.close());
  const redirectUri = await browser.evaluateInExtension(() => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    return chrome.identity.getRedirectURL('demo');
  });
  await placeholder.close();
  const demo = await startDemoProvider({ redirectUris: [redirectUri], port: Number(new URL(issuer).port) });
  onTestFinished(() => demo.close());
  return browser;
}

/** The items in the extension's storage, and the answer of its own listener. */
function lookInside(browser: ExtensionBrowser) {
  return browser.evaluateInExtension(async () => {
    const { chrome } = globalThis as unknown as ExtensionGlobal;
    const [local, session] = await Promise.all([
      chrome.storage.local.get(null),
      chrome.storage.session.get(null),
    ]);
    return {
      keys: [...Object.keys(local), ...Object.keys(session)],
      notes: await chrome.runtime.sendMessage('how-many-notes'),
    };
  });
}

interface Buttons {
  readonly signIn: string;
  readonly signOut: string;
  /** Opens the menu that `signOut` is in. */
  readonly menu?: string;
}

/** The buttons of the samples' own popups, and those of Latchkey's. */
const samples: Buttons = { signIn: '#sign-in:not([hidden])', signOut: '#sign-out:not([hidden])' };
const latchkeys: Buttons = {
  signIn: '[data-provider="demo"]',
  menu: '[aria-haspopup="menu"]',
  signOut: '[data-action="sign-out"]',
};

test.for(sampleNames)(
  'the sample %s signs a user in, calls an API as this user, and signs them out',
  async (name, context) => {
    skipIfLacking(context, await findObstacle(name));
    const browser = await setUpSample(name);
    const { signIn: signInButton, signOut, menu } = name === 'crxjs-react' ? latchkeys : samples;
    await press(await browser.waitForPopup(signInButton), signInButton);
    const signIn = await browser.waitForSignInWindow();
    // The content script of this sample runs in its pages.
    if (name === 'plain-vite') await signIn.waitForSelector('html[data-notes="3"]');
    await approve(signIn);

    const popup = await browser.waitForPopup('#load:not([hidden])');
    expect(await popup.$eval('body', (body) => body.innerText)).toContain(marisol.name);
    // The next worker finds the session that this one has stored.
    await browser.stopWorker();
    await press(popup, '#load');
    const readAnswer = () => popup.$eval('#answer', (element) => element.textContent);
    await expect.poll(readAnswer).toContain(`"sub":"${marisol.id}"`);

    const { keys, notes } = await lookInside(browser);
    expect(notes).toBe(3);
    expect(keys).toContain('latchkey:board');
    expect(keys.filter((key) => !key.startsWith('latchkey:'))).toEqual([]);

    if (menu !== undefined) await press(popup, menu);
    await press(await browser.waitForPopup(signOut), signOut);
    await browser.waitForPopup(signInButton);
  },
);
