// The gallery of the popup's faces in a real browser, without the extension.

import { launch, type Page } from 'puppeteer-core';
import { inject, onTestFinished, vi } from 'vitest';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { toQuery, type Look } from '../../../src/gallery/address.ts';
import { toFaces, type Face } from '../../../src/gallery/faces.ts';
import { FaceObserver } from '../../../src/gallery/observer.ts';
import { App } from '../../../src/popup/App.tsx';
import { TextContext } from '../../../src/popup/i18n/use-text.ts';
import { english } from '../english.ts';
import { serveGallery, type ServedGallery } from '../../../tools/gallery.ts';

export const faces = toFaces(0, '');

/** One face of each kind: those that are left out differ from one of them in nothing but words. */
export const kindsOfFaces: readonly Face[] = [
  ...new Map(faces.toReversed().map((face) => [toKind(face), face])).values(),
].toReversed();

/** The face's elements with what they are, without their words. */
function toKind({ view, refusal, feature }: Face): string {
  const app = createElement(App, { observer: new FaceObserver(view, refusal) });
  const markup = renderToStaticMarkup(createElement(TextContext, { value: english }, app));
  const elements = [...markup.matchAll(/<(\w+)[^>]*>/g)].map(([tag, name]) =>
    [name, /class="[^"]*"/.exec(tag), /role="[^"]*"/.exec(tag)].join(' '),
  );
  return [feature, refusal?.code, ...elements].join('\n');
}

/** What the browser or its system chooses for all pages. */
export interface Surroundings {
  readonly theme: 'light' | 'dark';
  readonly colours: 'own' | 'forced';
}

/** The gallery as it would ship if it did. */
export async function buildAndServeGallery(): Promise<ServedGallery> {
  vi.stubEnv('NODE_ENV', 'production');
  try {
    return await serveGallery();
  } finally {
    vi.unstubAllEnvs();
  }
}

/** A page as wide as the popup, in a browser of its own until the test has finished. */
export async function openPage(surroundings: Surroundings): Promise<Page> {
  const page = await launchPage(surroundings);
  onTestFinished(() => page.browser().close());
  return page;
}

/** The same, in a browser that the caller closes. */
export async function launchPage({ theme, colours }: Surroundings): Promise<Page> {
  const executablePath = inject('executablePath');
  const browser =
    inject('browserName') === 'chrome'
      ? await launch({
          executablePath,
          // As root, Chromium does not start with its sandbox.
          args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
        })
      : await launch({
          browser: 'firefox',
          executablePath,
          extraPrefsFirefox: { ...firefoxThemes[theme], ...firefoxColours[colours] },
        });
  // Not the tab that is there already: Firefox gives that one no focus.
  const page = await browser.newPage();
  await page.setViewport({ width: 360, height: 600 });
  if (inject('browserName') === 'chrome') {
    // Not by way of `emulateMediaFeatures`, which knows no forced colours.
    const session = await page.createCDPSession();
    await session.send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: theme },
        { name: 'forced-colors', value: colours === 'forced' ? 'active' : 'none' },
      ],
    });
  }
  return page;
}

/** When Firefox forces colours, the theme is that of the colours. */
const firefoxThemes = {
  light: { 'ui.systemUsesDarkTheme': 0 },
  dark: {
    'ui.systemUsesDarkTheme': 1,
    'browser.display.background_color': '#000000',
    'browser.display.foreground_color': '#ffffff',
    'browser.display.background_color.dark': '#000000',
    'browser.display.foreground_color.dark': '#ffffff',
  },
} as const;

const firefoxColours = {
  own: {},
  forced: { 'browser.display.document_color_use': 2, 'browser.display.use_system_colors': false },
} as const;

/** Shows a face where another one is shown already, or loads the page first, and waits until it is all there. */
export async function showFace(
  page: Page,
  gallery: ServedGallery,
  { id }: Pick<Face, 'id'>,
  look: Partial<Look> = {},
): Promise<void> {
  const address = `${gallery.address}face.html${toQuery({ face: id }, look)}`;
  if (!page.url().startsWith(`${gallery.address}face.html`)) await page.goto(address);
  await page.evaluate(
    async (next, id) => {
      if (location.href !== next) {
        history.replaceState(null, '', next);
        document.documentElement.removeAttribute('data-face');
        dispatchEvent(new PopStateEvent('popstate'));
      }
      const deadlineMs = performance.now() + 10_000;
      while (document.documentElement.dataset['face'] !== id) {
        if (performance.now() > deadlineMs) throw new Error(`The face ${id} does not appear.`);
        await new Promise(requestAnimationFrame);
      }
      // What waits a moment before it is seen is seen at once; what turns for ever goes on, what was stopped stays so.
      for (const animation of document.getAnimations()) {
        if (animation.playState !== 'running') continue;
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
      }
      await Promise.allSettled([...document.images].map((image) => image.decode()));
    },
    address,
    id,
  );
}

/** To be run in the page: what cannot be seen, because it lies outside and nothing scrolls to it. */
export function findBeyondEdge(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const faults = scrollWidth > clientWidth ? ['scrolls sideways'] : [];
  const page = document.querySelector('main')?.getBoundingClientRect();
  const shown = [...document.querySelectorAll('main *')].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden'),
  );
  for (const element of shown) {
    const { left, right, bottom } = element.getBoundingClientRect();
    let around = element.parentElement;
    while (around !== null && !['auto', 'scroll'].includes(getComputedStyle(around).overflowY)) {
      around = around.parentElement;
    }
    const isBelow = around === null && page !== undefined && bottom > page.bottom + 1;
    if (left < 0 || right > clientWidth || isBelow) {
      faults.push(`beyond the edge: ${element.outerHTML.slice(0, 120)}`);
    }
  }
  return faults;
}
