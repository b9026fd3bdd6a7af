// The scene for tests of an administrator's policy: a demo provider, and a browser that is the only one with the policy.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { inject, onTestFinished, type TestContext } from 'vitest';
import type { ExtensionBrowser } from '../../../tools/browser/extension-browser.ts';
import { startDemoProvider } from '../../../tools/demo-provider/provider.ts';
import { redirectUris, toChromeExtensionId } from '../../../tools/redirect-uris.ts';
import { copyBuild } from './builds.ts';
import { expectPrivatePolicies, onlyLinux, openPrivatePolicies, writeProgram } from './private-policies.ts';
import { openTestFolder } from './run-folder.ts';
import { approve, browserName, manifest, press } from './setup.ts';
import { launchWith } from './shared-browser.ts';

/** Skips the test where it cannot give a browser a policy. In Firefox each user may have one of their own. */
export function expectPolicies(context: Pick<TestContext, 'skip'>): void {
  if (browserName === 'chrome') expectPrivatePolicies(context);
  else context.skip(process.platform !== 'linux', onlyLinux);
}

const place = { id: 'place', name: 'Place', issuer: 'https://place.invalid', clientId: 'place' };

/** Starts the provider. The build offers `place`, which does not exist, and `demo`. */
export async function setUpManaged() {
  const demo = await startDemoProvider({ redirectUris: Object.values(redirectUris(manifest, 'demo')) });
  onTestFinished(() => demo.close());
  const { issuer, clientId } = demo;
  const provider = { id: 'demo', name: 'Demo provider', issuer, clientId };
  const extensionDir = await copyBuild({ providers: [place, provider] }, 'none');
  const { program, file, toContent } = await openPolicy();
  return {
    demo,
    /** Writes the policy, in place of the one before; null removes it. `unreadable` cuts the file short. */
    async setPolicy(policy: object | 'unreadable' | null): Promise<void> {
      if (policy === null) return rm(file, { force: true });
      const content = JSON.stringify(toContent(policy));
      await writeFile(file, policy === 'unreadable' ? content.slice(0, -2) : content);
    },
    /** Starts the browser with the build. The caller closes it. */
    launch: () => launchWith(extensionDir, { executablePath: program }),
  };
}

/** A program that starts the browser, the file with the policy that only this browser reads, and the content of that file. */
async function openPolicy() {
  const folder = await openTestFolder('managed-');
  const executablePath = inject('executablePath');
  const id = manifest.browser_specific_settings.gecko.id;
  if (browserName === 'chrome') {
    const own = await openPrivatePolicies('chrome', executablePath, folder);
    const extensionId = toChromeExtensionId(manifest.key ?? '');
    return {
      program: own.executablePath,
      file: join(own.folder, 'policy.json'),
      toContent: (policy: unknown) => ({ '3rdparty': { extensions: { [extensionId]: policy } } }),
    };
  }
  // Firefox reads the policies of an extension from `policies.json`, or from a managed storage manifest, which can be in the home
  // folder: the extension gets the same.
  const manifests = join(folder, '.mozilla/managed-storage');
  await mkdir(manifests, { recursive: true });
  return {
    program: await writeProgram(folder, `HOME='${folder}' exec '${executablePath}'`),
    file: join(manifests, `${id}.json`),
    toContent: (policy: unknown) => ({ name: id, description: '', type: 'storage', data: policy }),
  };
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

/** Opens the popup again, and returns it once it's signed out. */
export async function reopen(browser: ExtensionBrowser): Promise<Page> {
  await browser.closePopup();
  return browser.waitForPopup('main[data-status="signed-out"]');
}

/** How long to poll for a changed policy: Chromium reads a file five seconds after it has changed, or later. */
export const arrival = { timeout: 30_000 };

/** Signs the first user in at the demo provider, and returns the popup that shows them. */
export async function signInByClick(browser: ExtensionBrowser): Promise<Page> {
  await press(await browser.openPopup(), '[data-provider="demo"]');
  await approve(await browser.waitForSignInWindow());
  return browser.waitForPopup('main[data-status="signed-in"]');
}
