// The contract with a feature, in a real browser: the build contains the sample feature, and each test controls it.

import { expect, test, vi } from 'vitest';
import { isLong } from '../support/extent.ts';
import { marisol } from '../../tools/demo-provider/people.ts';
import { click } from '../support/browser/setup.ts';
import { isOfThisBrowser, ofThisBrowser } from '../support/browser/share.ts';
import {
  ask,
  askInWorker,
  inTab,
  mounted,
  readNotes,
  setUpSample,
  startEcho,
  type Outcome,
} from '../support/browser/sample.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Far longer than any step here takes, except those that are slow on purpose. */
const timeout = 20_000;

const refused = (reason: string): Outcome => ({ error: 'FetchRefused', reason });
const ok = { status: 200 };

test.runIf(isOfThisBrowser(0))(
  'a popup, a tab and the worker act for the same user, and a sign-out in one applies to all',
  async () => {
    const { extension, popup, echo, api } = await setUpSample();
    const noted = () => readNotes(extension);
    const asMarisol = expect.stringContaining(marisol.name) as string;
    await inTab(extension, async (tab) => {
      await mounted(tab);
      for (const page of [popup, tab]) {
        expect(await ask(page, `${api}/me`)).toEqual({ ...ok, text: asMarisol });
      }
      await askInWorker(tab, `${api}/me`);
      await expect.poll(noted, { timeout }).toEqual(['no one', marisol.id, asMarisol]);

      const open = ask(tab, `${echo.origin}/silent`);
      await echo.arrived('/silent');
      await click(popup, '[data-action="sign-out"]');
      await tab.waitForSelector('main[data-status="signed-out"]');
      expect(await open).toEqual(refused('signed-out'));
      await echo.cutOff('/silent');
      for (const page of [popup, tab]) expect(await ask(page, `${api}/me`)).toEqual(refused('signed-out'));
      await askInWorker(tab, `${api}/me`);
      const asNobody = expect.stringContaining('FetchRefused') as string;
      await expect.poll(noted, { timeout }).toEqual(['no one', marisol.id, asMarisol, 'no one', asNobody]);
    });
  },
);

/** The cases in which the browser's own fetch is no reference, with the reason and our result. */
const unlike: readonly (readonly [cases: RegExp, because: string, ours: RegExp])[] = [
  [
    /^a stream($| that is empty)/,
    'Chromium sends no stream over HTTP/1.1, and Firefox sends a text instead.',
    /^{"resolved":\["POST","(one two|\{}|)",/,
  ],
  [/^a stream /, 'Firefox sends a text in place of any stream.', /^{"rejected":"TypeError/],
  [/^(a data URL|a port )/, 'The token is not meant for it.', /FetchRefused"}$/],
  [
    /which has no body|of a response without a body$/,
    'Both browsers give a body to a response that has none by the standard.',
    /"hasBody":false/,
  ],
];

/** Removes the worker's intended differences: it adds the token, and makes caches revalidate. */
const plain = (outcome: string) =>
  outcome
    .replaceAll(/\\"(authorization|cache-control|pragma)\\":\\"[^"]*\\",/g, '')
    .replaceAll(/"content-length":"\d+",/g, '');

test('the feature’s fetch behaves like the page’s own', async () => {
  const { echo, popup } = await setUpSample();
  const all = await popup.evaluate(() => Object.keys(globalThis.sample.cases));
  expect(all.length).toBeGreaterThan(100);
  const outcomes = await popup.evaluate(
    async (origin, names) => {
      const { fetch: feature, cases, observe } = globalThis.sample;
      const own: typeof fetch = (input, init) => fetch(input, init);
      const seen: (readonly [name: string, ours: string, platforms: string])[] = [];
      for (const [name, run] of Object.entries(cases)) {
        if (!names.includes(name)) continue;
        const ours = JSON.stringify(await observe(run, feature, origin));
        seen.push([name, ours, JSON.stringify(await observe(run, own, origin))]);
      }
      return seen;
    },
    echo.origin,
    isLong ? all : ofThisBrowser(all).filter((_, index) => index % 4 === 0),
  );
  for (const [name, ours, platforms] of outcomes) {
    const [, because, difference] = unlike.find(([names]) => names.test(name)) ?? [];
    if (difference === undefined) expect.soft(plain(ours), name).toBe(plain(platforms));
    else expect.soft(ours, `${name}: ${because}`).toMatch(difference);
  }
});

test.runIf(isOfThisBrowser(1))(
  'an address that the token is not meant for gets neither the token nor the request, and a network failure is reported as one',
  async () => {
    const foreign = await startEcho();
    // An origin of the provider that is no API.
    const known = await startEcho();
    const { extension, popup, echo, api } = await setUpSample({ configuration: { origins: [known.origin] } });
    const before = echo.requests();
    for (const { origin } of [foreign, known]) {
      expect(await ask(popup, `${origin}/echo`)).toEqual(refused('origin-not-allowed'));
    }
    for (const headers of [{ Authorization: 'Bearer mine' }, { DPoP: 'mine' }]) {
      expect(await ask(popup, `${echo.origin}/echo`, { headers })).toEqual(refused('authorization-header'));
    }
    expect(await ask(popup, `${api}/redirect?to=${foreign.origin}/echo`)).toEqual({ error: 'TypeError' });
    expect([echo, foreign, known].map(({ requests }) => requests())).toEqual([before, 0, 0]);

    // The browser follows this redirect, without the token.
    expect(await ask(popup, `${api}/redirect?to=${known.origin}/echo`)).toEqual(refused('redirect-refused'));
    const { text } = (await ask(popup, `${api}/redirect?to=${echo.origin}/echo`)) as {
      readonly text: string;
    };
    expect(text).not.toContain('authorization');

    await extension.demo.close();
    expect(await ask(popup, `${api}/me`)).toEqual({ error: 'TypeError' });
    expect(await popup.$('main[data-status="signed-in"] [data-sample]')).not.toBeNull();
  },
);
