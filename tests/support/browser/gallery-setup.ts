// The gallery of the popup's views in a real browser, without the extension.

import type { Page } from 'puppeteer-core';
import { preview } from 'vite';
import { onTestFinished } from 'vitest';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { toBareQuery, type Address } from '../../../tools/gallery/address.ts';
import { toFaces, toObserver, type Face } from '../../../tools/gallery/faces.ts';
import { App } from '../../../src/popup/App.tsx';
import { createText } from '../../../src/popup/i18n/text.ts';
import { PageContext } from '../../../src/popup/page.ts';
import { lookUp } from '../english.ts';
import { toPage } from '../page.ts';
import type { Appearance } from '../../../tools/browser/driver.ts';
import { demoConfigPath, readConfigFile } from '../../../tools/build/read-config.ts';
import { buildGalleryOnce, copyBuild } from './builds.ts';
import { borrowForWebPages } from './shared-browser.ts';

export const faces = toFaces(0, 'https://id.example/ada.png');

/** One view of each kind. The others differ from one of these only in words. */
export const kindsOfFaces: readonly Face[] = [
  ...new Map(faces.toReversed().map((face) => [toKind(face), face])).values(),
].toReversed();

/** Describes the view's elements without their words. */
function toKind(face: Face): string {
  const value = toPage({
    text: createText(lookUp, undefined, face.product),
    header: face.header ?? 'full',
  });
  const app = createElement(App, { observer: toObserver(face) });
  const markup = renderToStaticMarkup(createElement(PageContext, { value }, app));
  const elements = [...markup.matchAll(/<(\w+)[^>]*>/g)].map(([tag, name]) =>
    [name, /class="[^"]*"/.exec(tag), /role="[^"]*"/.exec(tag)].join(' '),
  );
  return [face.feature, face.refusal?.code, ...elements].join('\n');
}

/** The URL of the gallery's production build, which is served as long as this worker runs. */
let served: Promise<string> | null = null;

async function serveGallery(): Promise<string> {
  const { resolvedUrls } = await preview({
    configFile: false,
    build: { outDir: await buildGalleryOnce() },
    preview: { host: '127.0.0.1', port: 0 },
    logLevel: 'warn',
  });
  return new URL('tools/gallery/index.html', resolvedUrls?.local[0]).href;
}

/** Opens a page as wide as the popup, which is closed when the test has finished. */
export async function openPage(appearance: Appearance): Promise<Page> {
  // The browser always has an extension, which these tests do not use.
  const borrowed = await borrowForWebPages(() => copyBuild(readConfigFile(demoConfigPath), 'none'));
  const browser = borrowed.current();
  // A new tab, because Firefox gives the first one no focus.
  const page = await browser.browser.newPage();
  onTestFinished(() => page.close());
  await page.setViewport({ width: 360, height: 600 });
  await browser.setAppearance(page, appearance);
  return page;
}

/** Shows a view in the page, which it loads if needed, and waits until the view is complete. */
export async function showFace(
  page: Page,
  { id }: Pick<Face, 'id'>,
  look: Partial<Address> = {},
): Promise<void> {
  const gallery = await (served ??= serveGallery());
  const address = `${gallery}${toBareQuery({ ...look, face: id })}`;
  if (!page.url().startsWith(gallery)) await page.goto(address);
  await page.evaluate(
    async (next, face) => {
      if (location.href !== next) {
        history.replaceState(null, '', next);
        document.documentElement.removeAttribute('data-face');
        dispatchEvent(new PopStateEvent('popstate'));
      }
      const root = document.documentElement;
      if (root.dataset['face'] !== face) {
        await new Promise<void>((appear, fail) => {
          const late = setTimeout(() => fail(new Error(`The face ${face} does not appear.`)), 10_000);
          new MutationObserver((_changes, observer) => {
            if (root.dataset['face'] !== face) return;
            observer.disconnect();
            clearTimeout(late);
            appear();
          }).observe(root, { attributeFilter: ['data-face'] });
        });
      }
      // Ends running animations at once, except endless ones.
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

/** Runs in the page. Returns the elements that lie outside and that no scrolling reaches. */
export function findBeyondEdge(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const faults = scrollWidth > clientWidth ? ['scrolls sideways'] : [];
  const page = document.querySelector('main')?.getBoundingClientRect();
  // A long name is cut after two lines, with an ellipsis.
  const isScrolledOrCut = (element: Element) => {
    const { overflowY, webkitLineClamp } = getComputedStyle(element);
    return ['auto', 'scroll'].includes(overflowY) || webkitLineClamp !== 'none';
  };
  const shown = [...document.querySelectorAll('main *')].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden'),
  );
  for (const element of shown) {
    const { left, right, bottom } = element.getBoundingClientRect();
    let around = element.parentElement;
    while (around !== null && !isScrolledOrCut(around)) around = around.parentElement;
    const isBelow = around === null && page !== undefined && bottom > page.bottom + 1;
    if (left < 0 || right > clientWidth || isBelow) {
      faults.push(`beyond the edge: ${element.outerHTML.slice(0, 120)}`);
    }
  }
  return faults;
}
