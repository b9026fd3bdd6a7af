// An administrator's policy that is wrong, late, changed or removed, in a real browser. Chromium follows a changed policy
// within seconds. Firefox reads policies when it starts, so there each change comes with a restart.

import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import { beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { ExtensionBrowser } from '../../tools/browser/extension-browser.ts';
import { copyBuild } from '../support/browser/builds.ts';
import {
  arrival,
  expectPolicies,
  misspelled,
  offered,
  onlyDemo,
  onlyPlace,
  reopen,
  setUpManaged,
  signInByClick,
} from '../support/browser/managed.ts';
import { expectPrivatePolicies, openPrivatePolicies } from '../support/browser/private-policies.ts';
import { openTestFolder } from '../support/browser/run-folder.ts';
import { browserName, manifest, textOf } from '../support/browser/setup.ts';
import { launchWith } from '../support/browser/shared-browser.ts';

vi.setConfig({ testTimeout: 180_000 });

beforeEach(expectPolicies);

const inChromium = browserName === 'chrome';
const inFirefox = browserName === 'firefox';

/** The popup's details about {@link misspelled}. */
const mistake = 'policy: providers[0].isuer: unknown key; did you mean "issuer"?';

/** Opens the popup anew until it offers these providers, and returns it. */
async function untilOffered(browser: ExtensionBrowser, ids: readonly string[]): Promise<Page> {
  await expect.poll(async () => offered(await reopen(browser)), arrival).toEqual(ids);
  return browser.openPopup();
}

const contentOf = async (browser: ExtensionBrowser) => (await reopen(browser)).content();

test.runIf(inChromium)(
  'Chromium: a policy that changes ends the session that it excludes; a wrong one is refused; one that goes away leaves the build',
  async () => {
    const { setPolicy, launch } = await setUpManaged();
    await setPolicy(onlyDemo);
    const browser = await launch();
    onTestFinished(() => browser.close());
    await untilOffered(browser, ['demo']);
    await signInByClick(browser);

    await setPolicy(onlyPlace);
    const ended = await browser.waitForPopup('[data-problem="not-permitted"]');
    expect(await offered(ended)).toEqual(['place']);

    await setPolicy(misspelled);
    // The problem of the session that has ended is shown first, and once.
    await expect.poll(() => contentOf(browser), arrival).toContain(mistake);
    expect(await offered(await browser.openPopup())).toEqual(['place']);

    await setPolicy(null);
    // The account of the session that has ended can be chosen again.
    const popup = await untilOffered(browser, ['demo']);
    expect(await textOf(popup)).not.toContain('Managed');
  },
);

/** Chromium leaves out each value of a wrong type. Where `version` is left, something was there. */
const emptied: readonly (readonly [what: string, policy: object])[] = [
  ['whose "json" is an object', { version: 1, json: onlyDemo }],
  ['whose "providers" are no list', { ...onlyDemo, providers: 'demo' }],
  ['with nothing right but its version', { version: 1, managedBy: 7, locked: 'yes', providers: {} }],
];

test.runIf(inChromium)(
  'Chromium: a policy that the browser empties opens nothing that the last good one closed; a file that it cannot read is no policy',
  async () => {
    const { setPolicy, launch } = await setUpManaged();
    const browser = await launch();
    onTestFinished(() => browser.close());
    for (const [what, policy] of emptied) {
      await setPolicy(onlyDemo);
      const before = await untilOffered(browser, ['demo']);
      await before.waitForSelector('[data-problem]', { hidden: true });
      await setPolicy(policy);
      await expect
        .poll(() => contentOf(browser), { ...arrival, message: what })
        .toContain('providers: missing');
      expect({ what, offers: await offered(await browser.openPopup()) }).toEqual({
        what,
        offers: ['demo'],
      });
    }
    // As docs/administrators.md says: no code can tell it from a policy that was taken away.
    await setPolicy('unreadable');
    await untilOffered(browser, ['place', 'demo']);
  },
);

test.runIf(inFirefox)(
  'Firefox: a first policy in the managed storage is followed when the worker starts next; another one, a wrong one or none when the browser restarts',
  async () => {
    const { setPolicy, launch } = await setUpManaged();
    let browser = await launch();
    onTestFinished(() => browser.close());
    const first = await browser.waitForPopup('main[data-status="signed-out"]');
    expect(await offered(first)).toEqual(['place', 'demo']);
    expect(await textOf(first)).not.toContain('Managed');

    await setPolicy(onlyDemo);
    await untilOffered(browser, ['place', 'demo']);
    await browser.closePopup();
    await browser.stopWorker();
    const managed = await untilOffered(browser, ['demo']);
    expect(await textOf(managed)).toContain('Managed by Acme IT');
    await signInByClick(browser);

    await setPolicy(onlyPlace);
    browser = await browser.restart();
    const ended = await browser.waitForPopup('[data-problem="not-permitted"]');
    expect(await offered(ended)).toEqual(['place']);

    await setPolicy(misspelled);
    browser = await browser.restart();
    await expect.poll(() => contentOf(browser)).toContain(mistake);
    expect(await offered(await browser.openPopup())).toEqual(['place']);

    await setPolicy(null);
    browser = await browser.restart();
    // The account of the session that has ended can be chosen again.
    await untilOffered(browser, ['demo']);
  },
);

test.runIf(inFirefox)(
  'Firefox: the sample policies.json is followed as it is, with the id of the add-on, from the next start of the browser on',
  async (context) => {
    expectPrivatePolicies(context);
    const own = await openTestFolder('policies-');
    const { folder, executablePath } = await openPrivatePolicies(browserName, inject('executablePath'), own);
    const sample = await readFile(
      resolve(import.meta.dirname, '../../docs/administrators/firefox-policies.json'),
      'utf8',
    );
    const { id } = manifest.browser_specific_settings.gecko;
    const toProvider = (name: string) => ({
      id: name,
      name,
      issuer: `https://${name}.invalid`,
      clientId: name,
    });
    const built = await copyBuild({ providers: ['place', 'acme'].map(toProvider) }, 'none');
    let browser = await launchWith(built, { executablePath });
    onTestFinished(() => browser.close());
    await untilOffered(browser, ['place', 'acme']);

    await writeFile(join(folder, 'policies.json'), sample.replace('FIREFOX_ID', id));
    await browser.closePopup();
    await browser.stopWorker();
    await untilOffered(browser, ['place', 'acme']);

    browser = await browser.restart();
    const popup = await untilOffered(browser, ['acme']);
    expect(await textOf(popup)).toContain('Managed by Acme IT');
  },
);
