// An administrator's policy for an extension that Chromium has installed by a policy: when the popup knows it.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import { beforeEach, expect, test, vi } from 'vitest';
import { readFaces, type Face } from '../support/browser/faces.ts';
import { packForChromium, type InstalledExtension } from '../support/browser/installed.ts';
import { expectPrivatePolicies } from '../support/browser/private-policies.ts';
import { browserName } from '../support/browser/setup.ts';

vi.setConfig({ testTimeout: 120_000 });

beforeEach(expectPrivatePolicies);

const sample = await readFile(
  resolve(import.meta.dirname, '../../docs/administrators/linux-chromium.json'),
  'utf8',
);

const toProvider = (id: string) => ({ id, name: id, issuer: `https://${id}.invalid`, clientId: id });
const providers = [toProvider('place'), toProvider('acme')];

/** The sample as an administrator puts it there. */
const putSample = ({ policies, extensionId }: InstalledExtension) =>
  writeFile(join(policies, 'sample.json'), sample.replace('CHROME_ID', extensionId));
const removeSample = ({ policies }: InstalledExtension) => rm(join(policies, 'sample.json'));

const starting: Face = { status: 'starting', providers: [], managed: false };
const asBuilt: Face = { status: 'signed-out', providers: ['place', 'acme'], managed: false };
const nothing: Face = { status: 'signed-out', providers: [], managed: true };
const bySample: Face = { status: 'signed-out', providers: ['acme'], managed: true };

/** Everything that the page has shown, when it shows `last`. Chromium follows a changed file after seconds. */
async function facesUntil(page: Page, last: Face): Promise<readonly Face[]> {
  const read = async () => (await readFaces(page)).map(({ face }) => face);
  await expect.poll(async () => (await read()).at(-1), { timeout: 45_000, interval: 100 }).toEqual(last);
  return read();
}

test.runIf(browserName === 'chrome')(
  'an installed copy never shows what a policy excludes that comes seconds after its first start, nor after a restart',
  async () => {
    // Chromium reads a file five seconds after it was written, and the extension starts at once.
    const extension = await packForChromium({ providers }, putSample);
    let browser = await extension.start();
    const first = await extension.openPopup(browser);
    expect(await facesUntil(first, bySample)).toEqual([starting, bySample]);

    await browser.close();
    browser = await extension.start();
    const second = await extension.openPopup(browser);
    expect(await facesUntil(second, bySample)).toEqual([starting, bySample]);

    await removeSample(extension);
    expect(await facesUntil(second, asBuilt)).toEqual([starting, bySample, asBuilt]);
  },
);

test.runIf(browserName === 'chrome')(
  'an installed copy without a policy offers the providers of the build after a wait, without one after a restart, and follows a policy that comes then',
  async () => {
    const extension = await packForChromium({ providers });
    let browser = await extension.start();
    const first = await extension.openPopup(browser);
    // An administrator has installed it, so a policy is to be expected for half a minute.
    expect(await facesUntil(first, asBuilt)).toEqual([starting, nothing, asBuilt]);

    await browser.close();
    browser = await extension.start();
    const second = await extension.openPopup(browser);
    expect(await facesUntil(second, asBuilt)).toEqual([starting, asBuilt]);

    await putSample(extension);
    expect(await facesUntil(second, bySample)).toEqual([starting, asBuilt, bySample]);
  },
);
