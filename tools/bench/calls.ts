// Compares a feature's `fetch` with the page's own, which has the token.

import { resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import { startEchoServer } from '../../tests/support/echo-server.ts';
import type { BrowserName } from '../browser/browsers.ts';
import type { OnStop } from '../command.ts';
import { openExtension } from '../set-up-extension.ts';
import type { Row } from './rows.ts';
import { withScene } from './scene.ts';
import { median, takeInTurns } from './turns.ts';

const featureDir = resolve(import.meta.dirname, '../../tests/support/sample-feature');

const [kilobyte, megabyte] = [1_000, 1_000_000];

/** How often each is measured, and what is fetched. `toValue` makes the row's value of the milliseconds for all of it. */
const loads = [
  {
    what: "a feature's fetch of 1 kB, one by one",
    turns: 15,
    bytes: kilobyte,
    count: 20,
    isAtOnce: false,
    unit: 'ms',
    toValue: (ms: number) => ms / 20,
  },
  {
    what: "1,000 of a feature's fetches of 1 kB at once",
    turns: 3,
    bytes: kilobyte,
    count: 1_000,
    isAtOnce: true,
    unit: 'ms',
    toValue: (ms: number) => ms,
  },
  {
    what: "a feature's fetch of 100 MB",
    turns: 5,
    bytes: 100 * megabyte,
    count: 1,
    isAtOnce: true,
    unit: 'MB/s',
    toValue: (ms: number) => 100_000 / ms,
  },
] as const;

export async function measureCalls(onStop: OnStop, browser: BrowserName): Promise<readonly Row[]> {
  const echo = await startEchoServer();
  onStop(echo.close);
  const options = { accessTokenSeconds: 3_600, featureDir };
  const opening = openExtension(browser, ({ issuer }) => ({ apiOrigins: [issuer, echo.origin] }), options);
  return withScene(onStop, opening, async (scene) => {
    await scene.signIn();
    // The sample feature has called the API.
    const popup = await scene.browser.waitForPopup('[data-sample="answer"]');
    const rows: Row[] = [];
    for (const { what, turns, bytes, count, isAtOnce, unit, toValue } of loads) {
      const timeBy = (isFeature: boolean) => () =>
        timeCalls(popup, `${echo.origin}/bytes?length=${bytes}`, count, isAtOnce, isFeature);
      const { feature, page } = await takeInTurns({ page: timeBy(false), feature: timeBy(true) }, turns);
      const limits = { "the page's own fetch": toValue(median(page)) };
      rows.push({ what, browser, unit, value: toValue(median(feature)), limits });
    }
    return rows;
  });
}

/** Makes the feature or the page itself fetch `url` a number of times, and returns how long all of it took, in ms. */
function timeCalls(page: Page, url: string, count: number, isAtOnce: boolean, isFeature: boolean) {
  return page.evaluate(
    // Without functions in variables, which the compiler wraps in a helper that the page doesn't have.
    async (asked, times, atOnce, asFeature) => {
      const headers = { authorization: `Bearer ${'t'.repeat(43)}` };
      const startedAtMs = performance.now();
      const rounds = atOnce ? 1 : times;
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all(
          Array.from({ length: times / rounds }, async () => {
            const response = asFeature
              ? await globalThis.sample.fetch(asked)
              : await fetch(asked, { headers });
            const reader = response.body?.getReader();
            while ((await reader?.read())?.done === false);
          }),
        );
      }
      return performance.now() - startedAtMs;
    },
    url,
    count,
    isAtOnce,
    isFeature,
  );
}
