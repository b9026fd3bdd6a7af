// Checks every view of the popup with axe-core and with checks of our own: in both themes, in forced colours, with large
// text, from right to left, and with all menus and details open.

import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { type Address } from '../../tools/gallery/address.ts';
import type { Appearance } from '../../tools/browser/driver.ts';
import { findViolations } from '../support/browser/axe.ts';
import { isLong } from '../support/extent.ts';
import { faces, findBeyondEdge, kindsOfFaces, openPage, showFace } from '../support/browser/gallery-setup.ts';
import { isOfThisBrowser, ofThisBrowser } from '../support/browser/share.ts';

declare global {
  /** In the page: records the focused element; returns the faults of all recorded ones. */
  var seeFocus: () => Promise<void>;
  var tellFocusFaults: () => readonly string[];
}

/** One way to show a view. */
interface Meeting {
  readonly theme: Appearance['theme'];
  readonly colours: Appearance['colours'];
  readonly text: Address['text'];
  /** Arabic is written from right to left. */
  readonly language: 'en' | 'ar';
  /** Whether menus and details are open. */
  readonly isOpened: boolean;
}

/**
 * `npm test` shows half of the kinds of views, each in one way. The ways differ from kind to kind. The long run shows every view in
 * two ways that are opposite in all factors, one in each browser.
 */
const meetings = (isLong ? faces : kindsOfFaces).flatMap((face, index) =>
  (isLong ? [index, ~index] : [index]).map((bits) => ({ face, meeting: toMeeting(bits) })),
);

/** Whether this browser shows the view in this way. The opposite way is the other browser's. */
function isMetHere({ theme, colours, text, language, isOpened }: Meeting): boolean {
  const factors = [theme === 'dark', colours === 'forced', text === 200, language === 'ar', isOpened];
  return isOfThisBrowser(factors.filter(Boolean).length);
}

function toMeeting(bits: number): Meeting {
  return {
    theme: bits & 1 ? 'dark' : 'light',
    colours: bits & 2 ? 'forced' : 'own',
    text: bits & 4 ? 200 : 100,
    language: bits & 8 ? 'ar' : 'en',
    isOpened: Boolean(bits & 16),
  };
}

test('the views are shown in every combination of the factors', () => {
  expect(new Set(meetings.map(({ meeting }) => JSON.stringify(meeting))).size).toBe(2 ** 5);
});

const appearances: readonly Appearance[] = [
  { theme: 'light', colours: 'own' },
  { theme: 'light', colours: 'forced' },
  { theme: 'dark', colours: 'own' },
  { theme: 'dark', colours: 'forced' },
];

test.each(appearances)(
  'no view has an accessibility fault in the $theme theme with $colours colours',
  async ({ theme, colours }) => {
    const page = await openPage({ theme, colours });
    const met = meetings.filter(
      ({ meeting }) => meeting.theme === theme && meeting.colours === colours && isMetHere(meeting),
    );
    const found: string[] = [];
    for (const { face, meeting } of met) {
      const { text, language, isOpened } = meeting;
      await showFace(page, face, { text, language });
      if (isOpened) await openAll(page);
      const way = `${face.id}, ${text} %, ${language}${isOpened ? ', opened' : ''}`;
      const faults = [...(await findFaults(page)), ...(await findViolations(page))];
      found.push(...faults.map((fault) => `${way}: ${fault}`));
    }
    expect(met.length).toBeGreaterThan(meetings.length / 10);
    expect(found).toEqual([]);
  },
);

async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    document.querySelector<HTMLElement>('[aria-haspopup][aria-expanded="false"]')?.click();
  });
}

/** Finds the faults that need no library. */
async function findFaults(page: Page): Promise<readonly string[]> {
  const beyondEdge = await page.evaluate(findBeyondEdge);
  const others = await page.evaluate(() => {
    const shown = [...document.querySelectorAll('main *')].filter((element) => element.checkVisibility());
    const headings = shown.filter((element) => element.matches('h1'));
    const small = shown.filter((element) => {
      // A click on its label counts too. WCAG 2.5.8 excepts links in sentences.
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
      const isTarget = element.matches('a:not(p a, li a), button, summary, input, [tabindex="0"]');
      return isTarget && Math.min(width, height) < 24;
    });
    return [
      ...(headings.length === 1 ? [] : [`has ${headings.length} headings`]),
      ...small.map((element) => `too small: ${element.outerHTML.slice(0, 120)}`),
    ];
  });
  return [...beyondEdge, ...others];
}

const themes = ['light', 'dark'] as const;

test.each(isLong ? ofThisBrowser(themes) : themes)(
  'the Tab key reaches every control in order and shows the focus, in the %s theme',
  async (theme) => {
    const page = await openPage({ theme, colours: 'own' });
    // Every other kind is shown in the light theme, from right to left with large text; the rest in the dark theme. `npm test`
    // shows half of them.
    const isMet = (_: unknown, index: number) =>
      (index % 2 === 0) === (theme === 'light') && (isLong || index % 4 < 2);
    const met = kindsOfFaces.filter(isMet);
    const found: string[] = [];
    for (const face of met) {
      await showFace(page, face, theme === 'light' ? { language: 'ar', text: 200 } : {});
      if (face.feature !== undefined) await waitForFeature(page);
      found.push(...(await findKeyboardFaults(page)).map((fault) => `${face.id}: ${fault}`));
    }
    expect(met.length).toBeGreaterThan(isLong ? 7 : 3);
    expect(found).toEqual([]);
  },
);

test.each(ofThisBrowser(['closed', 'open']))(
  'what has the focus is never behind a notice whose details are %s',
  async (details) => {
    const page = await openPage({ theme: 'light', colours: 'own' });
    await page.setViewport({ width: 360, height: 480 });
    await showFace(page, { id: 'signed-in-tall-notice' });
    await waitForFeature(page);
    if (details === 'open') await page.click('.notice summary');
    expect(await findKeyboardFaults(page)).toEqual([]);
  },
);

/** A feature appears after the rest of the popup. */
const waitForFeature = (page: Page) => page.waitForSelector('[data-region="feature"] :is(a, button)');

/** Presses Tab through the whole page and returns the faults. */
async function findKeyboardFaults(page: Page): Promise<readonly string[]> {
  const presses = await page.evaluate(watchFocus);
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => globalThis.seeFocus());
  }
  return page.evaluate(() => globalThis.tellFocusFaults());
}

/** Moves the focus to the page's beginning and follows it from there. Returns how often to press Tab. */
function watchFocus(): number {
  const toTag = (element: Element) => element.outerHTML.slice(0, 120);
  const isRightToLeft = document.documentElement.dir === 'rtl';
  const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]';
  // Of radio buttons, Tab reaches the checked one.
  const unreached = ':disabled, [type="radio"]:not(:checked)';
  const stops = [...document.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility() && !element.matches(unreached),
  );
  // Firefox also stops at elements that scroll.
  const scrollers = [...document.querySelectorAll('main, main *')].filter(
    (element) =>
      element.scrollHeight > element.clientHeight &&
      ['auto', 'scroll'].includes(getComputedStyle(element).overflowY),
  );

  /** Where it is beside `other`: an area that scrolls shows what it holds in its own place. */
  const toPlace = (stop: Element, other: Element) => {
    const scroller = scrollers.find((area) => area.contains(stop) && !area.contains(other));
    return (scroller ?? stop).getBoundingClientRect();
  };

  /** Whether it stays in view while the page scrolls. */
  const isSticky = (stop: Element) => {
    const notice = stop.closest('.notice');
    return notice !== null && getComputedStyle(notice).position === 'sticky';
  };

  const faults: string[] = [];
  for (const [index, stop] of stops.entries()) {
    const before = stops[index - 1];
    if (before === undefined || isSticky(stop)) continue;
    const [last, next] = [toPlace(before, stop), toPlace(stop, before)];
    // They may touch, and places are rounded.
    if (next.top >= last.bottom - 1) continue;
    const isBeside = isRightToLeft ? next.right <= last.left : next.left >= last.right;
    if (next.bottom <= last.top || !isBeside) faults.push(`is placed before its predecessor: ${toTag(stop)}`);
  }

  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  /** Returns the luminance of these colours painted over one another. */
  const toLuminance = (colours: readonly string[]) => {
    if (context === null) return Number.NaN;
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((part) =>
      part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isShown = (focused: Element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(focused);
    const behind: string[] = [];
    for (let around = focused.parentElement; around !== null; around = around.parentElement) {
      behind.unshift(getComputedStyle(around).backgroundColor);
    }
    const [dark = 0, light = 0] = [toLuminance(behind), toLuminance([...behind, outlineColor])].toSorted(
      (one, other) => one - other,
    );
    const contrast = (light + 0.05) / (dark + 0.05);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && contrast >= 3;
  };

  const reached: Element[] = [];
  globalThis.seeFocus = async () => {
    // Firefox scrolls to the element a moment later.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const focused = document.activeElement;
    if (focused === null || focused === document.body || scrollers.includes(focused)) return;
    reached.push(focused);
    if (!isShown(focused)) faults.push(`the focus is hard to see at ${toTag(focused)}`);
    // A link in a sentence may take two lines. Firefox doesn't scroll to an element that is seen in part (WCAG 2.4.11 asks for no more).
    const isToBeSeen = [...focused.getClientRects()].some(({ left, top, width, height }) =>
      [0.02, 0.1, 0.5, 0.9, 0.98].some((part) =>
        focused.contains(document.elementFromPoint(left + width / 2, top + height * part)),
      ),
    );
    if (!isToBeSeen) faults.push(`nothing is visible of ${toTag(focused)}`);
  };
  globalThis.tellFocusFaults = () => {
    const isInOrder = stops.every((stop, index) => reached[index] === stop);
    return isInOrder ? faults : [...faults, `Tab stops at ${reached.map(toTag).join()}`];
  };
  // Chromium goes on from the last element that had the focus, even from one that is gone.
  const start = document.createElement('i');
  start.tabIndex = -1;
  document.body.prepend(start);
  start.focus();
  start.remove();
  getSelection()?.collapse(document.body, 0);
  return stops.length + scrollers.length;
}
