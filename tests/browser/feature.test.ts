// What a feature is promised, in the real browser: the sample feature of the tests is built in where a team's own
// would be, and a test makes it do what a team's might.

import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { startEchoServer } from '../bridge/echo-server.ts';
import { asa, marisol } from '../provider/people.ts';
import {
  approve,
  browserName,
  popupWith,
  press,
  setUpExtension,
  signIn,
  type BrowserSetup,
  type Extension,
} from './setup.ts';

/** Far longer than anything takes here. */
const timeout = 20_000;

async function startEcho() {
  const echo = await startEchoServer();
  onTestFinished(() => echo.close());
  return echo;
}

/** Somebody is signed in, and the sample feature is mounted. Beside the demo provider's API there is another one. */
async function setUpSample(setup: BrowserSetup = {}) {
  const echo = await startEcho();
  const extension = await setUpExtension({ feature: 'sample', apiOrigins: [echo.origin], ...setup });
  const popup = await sampleIn(await signIn(extension));
  return { extension, echo, popup, api: `${extension.demo.issuer}/api` };
}

/** The page once the sample feature in it shows what the API told it. */
async function sampleIn(page: Page): Promise<Page> {
  await page.waitForSelector('[data-sample="answer"]:not(:empty)', { timeout: 8000 }).catch(async (e) => {
    console.log('STATE', page.url(), JSON.stringify(await page.evaluate(() => [document.visibilityState, location.href, document.querySelector('[data-region="feature"]')?.outerHTML, performance.getEntriesByType('resource').map((e) => e.name), performance.now()])));
    await pass(1000);
    console.log('STATE', JSON.stringify(await page.evaluate(() => [typeof globalThis.sample, document.visibilityState])));
    throw e;
  });
  return page;
}

/** What came of a request, as it can leave the page. */
interface Told {
  readonly status?: number;
  readonly text?: string;
  readonly error?: string;
  readonly reason?: string;
}

/** The feature's fetch, and the whole body. */
function ask(page: Page, url: string, init: RequestInit = {}): Promise<Told> {
  return page.evaluate(
    async (asked, settings) => {
      try {
        const response = await globalThis.sample.fetch(asked, settings);
        return { status: response.status, text: await response.text() };
      } catch (error) {
        const { name, reason } = error as { readonly name: string; readonly reason?: string };
        return { error: name, ...(reason !== undefined && { reason }) };
      }
    },
    url,
    init,
  );
}

const read = (page: Page, part: string) =>
  page.$eval(`[data-sample="${part}"]`, (element) => element.textContent);
const click = (page: Page, selector: string) =>
  page.$eval(selector, (button) => (button as HTMLButtonElement).click());
const grants = ({ demo }: Extension) => demo.requests.flatMap(({ grantType }) => grantType ?? []);

/** Opens the popup's page once more, in a tab of its own, until the test has finished. */
async function inTab<Result>({ browser }: Extension, use: (tab: Page) => Promise<Result>): Promise<Result> {
  return browser.withExtensionPage(async (tab) => {
    await tab.evaluate(() => {
      setTimeout(() => location.assign('/src/popup/index.html?tab'));
    });
    return use(tab);
  });
}


test('data of the API is shown, after the popup has been painted, and begins anew with another person', async () => {
  const { extension } = await setUpSample();
  await extension.browser.closePopup();
  const popup = await sampleIn(await popupWith(extension, 'signed-in'));
  expect(JSON.parse((await read(popup, 'answer')) ?? '')).toMatchObject({ name: marisol.name });
  const marks = await popup.evaluate(() => performance.getEntriesByType('mark').map(({ name }) => name));
  expect([...new Set(marks)]).toEqual(['latchkey:ready', 'sample:mounted']);

  await inTab(extension, async (tab) => {
    await sampleIn(tab);
    await click(tab, '[data-sample="count"]');
    await click(tab, '[data-action="use-another-account"]');
    await extension.browser.waitForSignInWindow();
    await tab.waitForSelector('main[data-status="signing-in"]');
    expect(await read(tab, 'count')).toBe('1');
    expect(await tab.$eval('[data-sample="count"]', (button) => button.checkVisibility())).toBe(false);
    await extension.browser.closeSignInWindow();
    await tab.waitForSelector('main[data-status="signed-in"]');
    expect(await read(tab, 'count')).toBe('1');

    await click(tab, '[data-action="use-another-account"]');
    await approve(await extension.browser.waitForSignInWindow(), asa);
    await tab.waitForSelector('main[data-status="signed-in"]');
    await sampleIn(tab);
    expect(await read(tab, 'count')).toBe('0');
    expect(JSON.parse((await read(tab, 'answer')) ?? '')).toMatchObject({ name: asa.name });

    await click(tab, '[data-sample="fail"]');
    await tab.waitForSelector('[data-region="feature"] [role="alert"]');
    await click(tab, '[data-action="sign-out"]');
    await tab.waitForSelector('main[data-status="signed-out"]');
    expect(await tab.$('[data-sample]')).toBeNull();
  });
}, 120_000);

test('a popup and a tab show the same session, and both halves fetch', async () => {
  const { extension, popup, api } = await setUpSample();
  await inTab(extension, async (tab) => {
    await sampleIn(tab);
    for (const page of [popup, tab]) {
      expect(await ask(page, `${api}/me`)).toMatchObject({ status: 200, text: expect.stringContaining(marisol.name) });
    }
    // const said = await tab.evaluate((url) => browser.runtime.sendMessage({ sample: url }), `${api}/me`);
    await click(tab, '[data-action="sign-out"]');
    await popup.waitForSelector('main[data-status="signed-out"]');
    expect(await ask(popup, `${api}/me`)).toEqual({ error: 'FetchRefused', reason: 'signed-out' });
    expect(await ask(tab, `${api}/me`)).toEqual({ error: 'FetchRefused', reason: 'signed-out' });
  });
});

test('a request that may not be sent is not sent', async () => {
  const known = await startEcho();
  const foreign = await startEcho();
  const { extension, popup, echo, api } = await setUpSample({ configuration: { origins: [known.origin] } });
  const before = echo.requests();
  const refused = (reason: string) => ({ error: 'FetchRefused', reason });
  expect(await ask(popup, `${foreign.origin}/echo`)).toEqual(refused('origin-not-allowed'));
  expect(await ask(popup, `${known.origin}/echo`)).toEqual(refused('origin-not-allowed'));
  for (const headers of [{ Authorization: 'Bearer mine' }, { DPoP: 'mine' }]) {
    expect(await ask(popup, `${echo.origin}/echo`, { headers })).toEqual(refused('authorization-header'));
  }
  expect([echo.requests(), known.requests(), foreign.requests()]).toEqual([before, 0, 0]);

  expect(await ask(popup, `${api}/redirect?to=${foreign.origin}/echo`)).toEqual({ error: 'TypeError' });
  expect(foreign.requests()).toBe(0);
  expect(await ask(popup, `${api}/redirect?to=${known.origin}/echo`)).toEqual(refused('redirect-refused'));
  console.log('known', known.requests());
  console.log(await ask(popup, `${api}/redirect?to=${echo.origin}/echo`));

  await extension.demo.close();
  expect(await ask(popup, `${api}/me`)).toEqual({ error: 'TypeError' });
  await popup.waitForSelector('[data-sample]');
});

test('a worker that sleeps wakes for a request, and one that dies is told of', async () => {
  const { extension, popup, api, echo } = await setUpSample();
  await extension.browser.stopWorker();
  expect(await ask(popup, `${api}/me`)).toMatchObject({ status: 200 });
  const unanswered = ask(popup, `${echo.origin}/silent`);
  const halfAnswered = ask(popup, `${echo.origin}/stuck`);
  await Promise.all([echo.arrived('/silent'), echo.arrived('/stuck')]);
  await pass(500);
  await extension.browser.stopWorker();
  expect(await unanswered).toEqual({ error: 'FetchRefused', reason: 'worker-lost' });
  expect(await halfAnswered).toEqual({ error: 'TypeError' });
  expect(await ask(popup, `${api}/me`)).toMatchObject({ status: 200 });
});

test('a thousand requests at the moment when the token ends are one renewal', async () => {
  const { extension, popup, api } = await setUpSample({ provider: { accessTokenSeconds: 45 } });
  await pass(15_000);
  const before = grants(extension).length;
  const statuses = await popup.evaluate(
    (url) =>
      Promise.all(
        Array.from({ length: 1_000 }, async () => (await globalThis.sample.fetch(url)).status),
      ),
    `${api}/me`,
  );
  expect(statuses).toEqual(Array.from({ length: 1_000 }, () => 200));
  expect(grants(extension).slice(before)).toEqual(['refresh_token']);
}, 90_000);

test('with DPoP', async () => {
  const { popup, api } = await setUpSample({ configuration: { dpop: 'required' } });
  expect(await ask(popup, `${api}/me`)).toMatchObject({ status: 200 });
  expect(await ask(popup, `${api}/redirect?to=/api/me`)).toEqual({ error: 'FetchRefused', reason: 'redirect-refused' });
  expect(await ask(popup, `${api}/redirect?to=/api/me`, { redirect: 'error' })).toEqual({ error: 'TypeError' });
  expect(await ask(popup, `${api}/redirect?to=/api/me`, { redirect: 'manual' })).toEqual({ status: 0, text: '' });
});

test('scope', async () => {
  const { extension, popup, api } = await setUpSample({
    provider: { accessTokenSeconds: 1, refreshTokenSeconds: 1 },
  });
  const notes = `${api}/scoped?scope=notes.read`;
  expect(await ask(popup, notes)).toMatchObject({ status: 403 });
  await click(popup, '[data-sample="allow"]');
  await extension.browser.waitForSignInWindow();
  await extension.browser.closeSignInWindow();
  const after = await sampleIn(await popupWith(extension, 'signed-in'));
  expect(await ask(after, notes)).toMatchObject({ status: 403 });
  await click(after, '[data-sample="allow"]');
  await approve(await extension.browser.waitForSignInWindow());
  const allowed = await sampleIn(await popupWith(extension, 'signed-in'));
  expect(await ask(allowed, notes)).toMatchObject({ status: 200 });
  console.log(grants(extension), extension.demo.requests.map(({ path, status }) => `${path} ${status}`).slice(-20));
});
