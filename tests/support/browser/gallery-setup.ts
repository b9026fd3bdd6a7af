// The gallery of the popup's faces in a real browser, without the extension.

import type { Page } from 'puppeteer-core';
import { onTestFinished } from 'vitest';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { toQuery, type Look } from '../../../src/gallery/address.ts';
import { toFaces, type Face } from '../../../src/gallery/faces.ts';
import { FaceObserver } from '../../../src/gallery/observer.ts';
import { App } from '../../../src/popup/App.tsx';
import { TextContext } from '../../../src/popup/i18n/use-text.ts';
import { english } from '../english.ts';
import type { Appearance } from '../../../tools/browser/driver.ts';
import { demoConfigPath, readConfigFile } from '../../../tools/build/read-config.ts';
import { serveGallery, type ServedGallery } from '../../../tools/gallery.ts';
import { buildGalleryOnce, buildOnce } from './builds.ts';
import { borrowBrowser } from './shared-browser.ts';

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

/** The gallery as it would ship if it did, for as long as this worker runs. */
export function openGallery(): Promise<ServedGallery> {
  return (served ??= buildGalleryOnce().then(serveGallery));
}

let served: Promise<ServedGallery> | null = null;

/** A page as wide as the popup, until the test has finished. */
export async function openPage(appearance: Appearance): Promise<Page> {
  // The browser comes with an extension; here it does nothing.
  const borrowed = await borrowBrowser(await buildOnce(readConfigFile(demoConfigPath), 'none'));
  const browser = borrowed.current();
  // Not the tab that is there already: Firefox gives that one no focus.
  const page = await browser.browser.newPage();
  onTestFinished(() => page.close());
  await page.setViewport({ width: 360, height: 600 });
  await browser.setAppearance(page, appearance);
  return page;
}

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
      // Finishes delayed appearances at once. Endless animations go on, and stopped ones stay stopped.
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
