// Compares the views of the popup: the window keeps its size, buttons stay in place, no language has words that are too
// long, and some views show what their names say.

import { readdir } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { isLong } from '../support/extent.ts';
import { faces, findBeyondEdge, kindsOfFaces, openPage, showFace } from '../support/browser/gallery-setup.ts';

const light = { theme: 'light', colours: 'own' } as const;

/** The view whose feature makes it higher. */
const tallFace = 'signed-in-tall-feature';
/** As high as what the feature shows. */
const higherFaces = faces
  .filter(({ feature }) => feature === 'tall' || feature === 'plain')
  .map(({ id }) => id);

/** Views that follow one another while a user does one thing. */
const ways = {
  'a sign-in': ['first-run', 'signing-in', 'signing-in-late', 'cancelled-signed-out'],
  'a sign-in with a code': [
    'signing-in-code-pending',
    'signing-in-code',
    'signing-in-code-long',
    'signing-in-code-ends',
    'signing-in-code-refused',
  ],
  'a sign-in of someone who returns': ['returning', 'signing-in', 'cancelled-returning', 'expired-returning'],
  'a sign-in that fails': [
    'signing-in',
    ...faces.map(({ id }) => id).filter((id) => id.endsWith('-signed-out')),
  ],
  'staying signed in': ['signed-in', ...faces.map(({ id }) => id).filter((id) => id.endsWith('-signed-in'))],
  'a change of accounts': ['signing-in-over-session', 'signing-in-over-session-late'],
};

const idsOnTheWay = new Set(Object.values(ways).flat());

const readHeight = (page: Page) => page.evaluate(() => document.documentElement.offsetHeight);

/** The widths and heights of a toolbar popup, and of a side panel. */
const windows = { popup: { width: 360, height: 600 }, panel: { width: 400, height: 900 } } as const;
type Window = keyof typeof windows;

type Measures = ReadonlyMap<string, Awaited<ReturnType<typeof measure>>>;
const measured = new Map<Window, Promise<Measures>>();

/** The measures of the views by their ids. The first test that needs them takes them. */
function measureFaces(window: Window): Promise<Measures> {
  const known = measured.get(window) ?? takeMeasures(window);
  measured.set(window, known);
  return known;
}

async function takeMeasures(window: Window): Promise<Measures> {
  const page = await openPage(light);
  await page.setViewport(windows[window]);
  const measures = new Map<string, Awaited<ReturnType<typeof measure>>>();
  for (const face of faces) {
    if (window === 'panel' && !idsOnTheWay.has(face.id)) continue;
    await showFace(page, face);
    // A feature is loaded after its screen.
    if (face.id === tallFace) await expect.poll(() => readHeight(page)).toBeGreaterThan(600);
    measures.set(face.id, await measure(page));
  }
  return measures;
}

/** Measures how high the view is, and where in it the buttons begin. */
function measure(page: Page) {
  return page.evaluate(() => {
    const readStart = (control: string) => document.querySelector(control)?.getBoundingClientRect().top;
    return {
      height: document.documentElement.offsetHeight,
      starts: {
        primary: readStart('.screen .primary'),
        showWindow: readStart('[data-action="show-window"]'),
        cancel: readStart('[data-action="cancel"]'),
        account: readStart('[aria-haspopup]'),
      },
    };
  });
}

test('no view is higher than a toolbar popup may be, or lower than the first one, unless a feature makes it so', async () => {
  const measures = await measureFaces('popup');
  const least = measures.get('starting')?.height ?? measures.get('first-run')?.height ?? 0;
  expect(measures.get(tallFace)?.height).toBeGreaterThan(600);
  const others = [...measures].filter(([id]) => !higherFaces.includes(id));
  expect(others.filter(([, { height }]) => height > 600 || height < least)).toEqual([]);
});

test.each(
  Object.entries(ways).flatMap(([way, ids]) => [[way, 'popup', ids] as const, [way, 'panel', ids] as const]),
)('during %s no button moves in a %s', async (_, window, ids) => {
  const measures = await measureFaces(window);
  const places: Record<string, Set<number>> = {};
  for (const id of ids) {
    for (const [control, start] of Object.entries(measures.get(id)?.starts ?? {})) {
      if (start !== undefined) (places[control] ??= new Set()).add(Math.round(start));
    }
  }
  expect(ids.filter((id) => !measures.has(id))).toEqual([]);
  expect(Object.keys(places)).not.toEqual([]);
  expect(Object.entries(places).filter(([, starts]) => starts.size !== 1)).toEqual([]);
});

const languages = await readdir('src/public/_locales');

test('no view overflows in any language, with normal or large text', async () => {
  const page = await openPage(light);
  expect(languages).toContain('en');
  const found: string[] = [];
  for (const [row, language] of languages.entries()) {
    for (const [column, face] of kindsOfFaces.entries()) {
      // In `npm test`, each kind is shown in a third of the languages, and each language shows a third of the kinds.
      if (!isLong && (row + column) % 3 !== 0) continue;
      const text = Math.floor((row + column) / 3) % 2 === 0 ? 100 : 200;
      await showFace(page, face, { language, text });
      const faults = await page.evaluate(findBeyondEdge);
      found.push(...faults.map((fault) => `${face.id}, ${language}, ${text} %: ${fault}`));
    }
  }
  expect(found).toEqual([]);
});

test.each([100, 200] as const)(
  'a search without a match says so right below the search field, with text of %i percent',
  async (text) => {
    const page = await openPage(light);
    await showFace(page, { id: 'providers-thirty' }, { text });
    await page.type('input[type="search"]', 'zzz');
    const message = await page.waitForSelector('.actions .quiet:not(:empty)');
    const distance = await message?.evaluate((element) => {
      const field = document.querySelector('input[type="search"]');
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      return (element.getBoundingClientRect().top - (field?.getBoundingClientRect().bottom ?? 0)) / size;
    });
    expect(distance).toBeGreaterThan(0);
    expect(distance).toBeLessThan(2);
  },
);

test.each([100, 200] as const)(
  'the heading keeps its place when the code arrives, with text of %i percent',
  async (text) => {
    const page = await openPage(light);
    const places: number[] = [];
    for (const id of ['signing-in-code-pending', 'signing-in-code', 'signing-in-code-long']) {
      await showFace(page, { id }, { text });
      places.push(await page.$eval('h1', (heading) => heading.getBoundingClientRect().top));
    }
    expect(new Set(places.map(Math.round)).size).toBe(1);
  },
);

test.each(['managed', 'managed-by', 'managed-refused', 'managed-several', 'returning'])(
  'the last line of %s does not touch the edge of the window',
  async (id) => {
    const page = await openPage(light);
    await showFace(page, { id });
    const distance = await page.$eval(
      '.actions > :last-child',
      (line) => document.documentElement.offsetHeight - line.getBoundingClientRect().bottom,
    );
    expect(distance).toBeGreaterThanOrEqual(10);
  },
);

/** Of a small window with large text, of a toolbar popup, and between and beyond. */
const widths = isLong ? [240, 320, 360, 400] : [240, 360];

/** Views with the longest texts of each kind, and with an ordinary name. */
const tellingFaces = [
  'first-run',
  'returning',
  'returning-two',
  'returning-three',
  'providers-last-used',
  'signing-in-late',
  'signing-in-code',
  'host-permission-missing-returning',
  'not-permitted-returning',
  'response-rejected-signed-in',
  'signed-in',
];

test.each(languages)(
  'text of 200 percent is nowhere cut in the language %s, but for a long name on a button, without the words around it',
  async (language) => {
    const page = await openPage(light);
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    const found: string[] = [];
    for (const width of widths) {
      await page.setViewport({ width, height: 600 });
      for (const id of tellingFaces) {
        await showFace(page, { id }, { language, text: 200 });
        const cut = await page.evaluate(findCutTexts);
        found.push(...cut.map((text) => `${id}, ${width} px: ${text}`));
      }
      await showFace(page, { id: 'returning-long-name' }, { language, text: 200 });
      const parts = await page.$$eval('.label, .label > bdi', (elements) =>
        elements.map((element) => [
          element.scrollHeight > element.clientHeight + 2 ? 'cut' : 'whole',
          getComputedStyle(element).direction,
        ]),
      );
      expect(parts).toEqual([
        ['whole', direction],
        ['cut', 'ltr'],
      ]);
    }
    expect(found).toEqual([]);
  },
);

/** Runs in the page. Returns the texts of which a part isn't shown, and that no scrolling shows. */
function findCutTexts(): string[] {
  const cut: string[] = [];
  for (const element of document.querySelectorAll('main *')) {
    if (!element.checkVisibility() || element.closest('.visually-hidden')) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    const isTooHigh =
      overflowY !== 'visible' && overflowY !== 'auto' && element.scrollHeight > element.clientHeight + 2;
    const isTooWide =
      overflowX !== 'visible' && overflowX !== 'auto' && element.scrollWidth > element.clientWidth + 2;
    if (isTooHigh || isTooWide) cut.push(element.outerHTML.slice(0, 120));
  }
  return cut;
}

test.each([
  ['signed-in-ends-session', 100, 'all'],
  ['signed-in-managed-by-links', 100, 'all'],
  ['signed-in-long-name', 100, 'some'],
  ['signed-in-long-name', 200, 'some'],
] as const)(
  'the menu of %s with text of %i percent shows %s of the account, and "Sign out"',
  async (id, text, shown) => {
    const page = await openPage(light);
    await showFace(page, { id }, { text });
    await page.click('#account-button');
    const menu = await page.evaluate(() => {
      const account = document.querySelector('#account-details');
      const signOut = document.querySelector('[data-action="sign-out"]');
      if (account === null || signOut === null) throw new Error('There is no menu.');
      return {
        shown: account.scrollHeight > account.clientHeight ? 'some' : 'all',
        isBeyond:
          signOut.getBoundingClientRect().bottom > Math.min(document.documentElement.offsetHeight, 600),
      };
    });
    expect(menu).toEqual({ shown, isBeyond: false });
  },
);

test('nothing is cut off or moves when an account is removed', async () => {
  const page = await openPage(light);
  await showFace(page, { id: 'returning-three-long' });
  const readTop = () => page.$eval('.account-row', (row) => Math.round(row.getBoundingClientRect().top));
  const before = await readTop();
  await page.click('li:last-child [data-action="forget-account"]');
  await page.waitForSelector('[data-action="undo"]:focus');
  expect(await page.evaluate(findBeyondEdge)).toEqual([]);
  expect(await readTop()).toBe(before);
});
