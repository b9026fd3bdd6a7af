// Compares the views of the popup: the window keeps its size, buttons stay in place, no language has words that are too
// long, and some views show what their names say.

import { readdir } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { isLong } from '../support/extent.ts';
import { faces, findBeyondEdge, kindsOfFaces, openPage, showFace } from '../support/browser/gallery-setup.ts';
import { isOfThisBrowser, ofThisBrowser } from '../support/browser/share.ts';

const light = { theme: 'light', colours: 'own' } as const;

/** The view whose feature makes it higher. */
const tallFace = 'signed-in-tall-feature';
/** As high as what the feature shows. */
const higherFaces = faces
  .filter(({ feature }) => feature === 'tall' || feature === 'plain')
  .map(({ id }) => id);

/** Views that follow one another while a user does one thing. */
const ways = {
  'a sign-in': ['first-run', 'signing-in', 'signing-in-late', 'just-cancelled'],
  'a sign-in with a code': [
    'first-run',
    'signing-in-code-pending',
    'signing-in-code',
    'signing-in-code-long',
    'signing-in-code-ends',
    'just-cancelled',
  ],
  'a sign-in of someone who returns': ['returning', 'signing-in', 'cancelled-returning', 'expired-returning'],
  'a sign-in that fails': [
    'signing-in',
    ...faces.map(({ id }) => id).filter((id) => id.endsWith('-signed-out')),
  ],
  'staying signed in': ['signed-in', ...faces.map(({ id }) => id).filter((id) => id.endsWith('-signed-in'))],
  'a change of accounts': ['signing-in-over-session', 'signing-in-over-session-late'],
};

const waysOfThisBrowser = ofThisBrowser(Object.entries(ways));

const idsOnTheWay = new Set(Object.values(ways).flat());
const idsOfThisBrowser = new Set([
  'first-run',
  tallFace,
  ...waysOfThisBrowser.flatMap(([, ids]) => ids),
  ...ofThisBrowser(faces.map(({ id }) => id).filter((id) => !idsOnTheWay.has(id))),
]);
const facesOfThisBrowser = faces.filter(({ id }) => idsOfThisBrowser.has(id));

const readHeight = (page: Page) => page.evaluate(() => document.documentElement.offsetHeight);

type Measures = ReadonlyMap<string, Awaited<ReturnType<typeof measure>>>;
let measured: Promise<Measures> | null = null;

/** The measures of the views that this browser compares, by their ids. The first test that needs them takes them. */
function measureFaces(): Promise<Measures> {
  return (measured ??= (async () => {
    const page = await openPage(light);
    const measures = new Map<string, Awaited<ReturnType<typeof measure>>>();
    for (const face of facesOfThisBrowser) {
      await showFace(page, face);
      // A feature is loaded after its screen.
      if (face.id === tallFace) await expect.poll(() => readHeight(page)).toBeGreaterThan(600);
      measures.set(face.id, await measure(page));
    }
    return measures;
  })());
}

/** Measures how high the view is, and where in it the buttons end. */
function measure(page: Page) {
  return page.evaluate(() => {
    const readEnd = (control: string) => document.querySelector(control)?.getBoundingClientRect().bottom;
    return {
      height: document.documentElement.offsetHeight,
      ends: {
        primary: readEnd('.actions .primary'),
        showWindow: readEnd('[data-action="show-window"]'),
        cancel: readEnd('[data-action="cancel"]'),
        account: readEnd('[aria-haspopup]'),
      },
    };
  });
}

test.runIf(isOfThisBrowser(1))(
  'all views have the same height, unless a feature makes one higher',
  async () => {
    const measures = await measureFaces();
    const height = measures.get('first-run')?.height;
    expect(measures.get(tallFace)?.height).toBeGreaterThan(600);
    const others = [...measures].filter(([id]) => !higherFaces.includes(id));
    expect(others.filter(([, face]) => face.height !== height)).toEqual([]);
  },
);

test.each(waysOfThisBrowser)('during %s no button moves', async (_, ids) => {
  const measures = await measureFaces();
  const places: Record<string, Set<number>> = {};
  for (const id of ids) {
    for (const [control, end] of Object.entries(measures.get(id)?.ends ?? {})) {
      if (end !== undefined) (places[control] ??= new Set()).add(Math.round(end));
    }
  }
  expect(ids.filter((id) => !measures.has(id))).toEqual([]);
  expect(Object.keys(places)).not.toEqual([]);
  expect(Object.entries(places).filter(([, ends]) => ends.size !== 1)).toEqual([]);
});

test.runIf(isOfThisBrowser(0))('no view overflows in any language, with normal or large text', async () => {
  const page = await openPage(light);
  const languages = await readdir('src/public/_locales');
  expect(languages).toContain('en');
  const found: string[] = [];
  for (const [row, language] of languages.entries()) {
    for (const [column, face] of kindsOfFaces.entries()) {
      // Each kind is shown in a third of the languages, and each language shows a third of the kinds.
      if (!isLong && (row + column) % 3 !== 0) continue;
      if (!isOfThisBrowser(Math.floor((row + column) / 6))) continue;
      const text = Math.floor((row + column) / 3) % 2 === 0 ? 100 : 200;
      await showFace(page, face, { language, text });
      const faults = await page.evaluate(findBeyondEdge);
      found.push(...faults.map((fault) => `${face.id}, ${language}, ${text} %: ${fault}`));
    }
  }
  expect(found).toEqual([]);
});

test.each(ofThisBrowser([100, 200] as const))(
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

test.each(ofThisBrowser([100, 200] as const))(
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

test.each(ofThisBrowser(['managed', 'managed-by', 'managed-refused', 'managed-several']))(
  'the last sentence of %s does not touch the edge of the window',
  async (id) => {
    const page = await openPage(light);
    await showFace(page, { id });
    const distance = await page.$eval('.actions > .quiet:last-child', (sentence) => {
      const texts = document.createRange();
      texts.selectNodeContents(sentence);
      return document.documentElement.offsetHeight - texts.getBoundingClientRect().bottom;
    });
    expect(distance).toBeGreaterThanOrEqual(10);
  },
);

test.each(ofThisBrowser(['en', 'ja', 'ar']))(
  'a button cuts a long name, and none of the words around it, in the language %s',
  async (language) => {
    const page = await openPage(light);
    await showFace(page, { id: 'returning-long-name' }, { language, text: 200 });
    const parts = await page.$$eval('.label, .label > bdi', (elements) =>
      elements.map((element) => ({
        isCut: element.scrollHeight > element.clientHeight + 2,
        direction: getComputedStyle(element).direction,
      })),
    );
    const direction = language === 'ar' ? 'rtl' : 'ltr';
    expect(parts).toEqual([
      { isCut: false, direction },
      { isCut: true, direction: 'ltr' },
    ]);
  },
);
