// Compares a feature's `fetch` with the page's own, which has the token.

import type { Page } from 'puppeteer-core';
import type { BrowserName } from '../browser/browsers.ts';
import type { OnStop } from '../command.ts';
import type { Row } from './rows.ts';
import { withScene, type Scene } from './scene.ts';
import { measureInTurns } from './turns.ts';

/** The page's own `fetch`, or the feature's. */
type Way = 'page' | 'feature';

const megabytes = 100;

export function measureCalls(onStop: OnStop, browser: BrowserName): Promise<readonly Row[]> {
  return withScene(onStop, { browser, feature: 'sample' }, async (scene) => {
    const popup = await openFeature(scene);
    const kilobyte = `${scene.echo.origin}/bytes?length=1000`;
    const large = `${scene.echo.origin}/bytes?length=${megabytes * 1_000_000}`;
    const single = await inTurns(
      (way) => timeCalls(popup, way, kilobyte, 20, 'one by one').then((ms) => ms / 20),
      15,
    );
    const many = await inTurns((way) => timeCalls(popup, way, kilobyte, 1_000, 'at once'), 3);
    const bulk = await inTurns((way) => timeCalls(popup, way, large, 1, 'one by one'), 5);
    const toRow = (id: string, what: string, { page, feature }: Record<Way, number>): Row => ({
      id,
      what,
      browser,
      unit: 'ms',
      value: feature,
      limits: { "the page's own fetch": page },
    });
    const toSpeed = (ms: number) => (megabytes * 1_000) / ms;
    const speeds = { page: toSpeed(bulk.page), feature: toSpeed(bulk.feature) };
    return [
      toRow('fetch-one', "a feature's fetch of 1 kB, one by one", single),
      toRow('fetch-many', "1,000 of a feature's fetches of 1 kB at once", many),
      { ...toRow('fetch-large', `a feature's fetch of ${megabytes} MB`, speeds), unit: 'MB/s' },
    ];
  });
}

/** Signs in, and returns the popup once the sample feature in it has called the API. */
async function openFeature({ browser, signIn }: Scene): Promise<Page> {
  await signIn();
  return browser.waitForPopup('[data-sample="answer"]');
}

async function inTurns(
  measure: (way: Way) => Promise<number>,
  turns: number,
): Promise<Readonly<Record<Way, number>>> {
  const measures = { page: () => measure('page'), feature: () => measure('feature') };
  const medianOf = await measureInTurns(measures, turns);
  return { page: medianOf('page'), feature: medianOf('feature') };
}

/** Makes the page or the feature fetch `url` a number of times, and returns how long all of it took, in ms. */
function timeCalls(
  popup: Page,
  way: Way,
  url: string,
  count: number,
  order: 'one by one' | 'at once',
): Promise<number> {
  return popup.evaluate(
    // Without functions in variables, which the compiler wraps in a helper that the page doesn't have.
    async (asked, isFeature, times, isAtOnce) => {
      const headers = { authorization: `Bearer ${'t'.repeat(43)}` };
      const startedAtMs = performance.now();
      const rounds = isAtOnce ? 1 : times;
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all(
          Array.from({ length: times / rounds }, async () => {
            const response = isFeature
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
    way === 'feature',
    count,
    order === 'at once',
  );
}
