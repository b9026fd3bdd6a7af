// @vitest-environment happy-dom

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The documents link to styles, which are not loaded here. */
const { settings } = (window as unknown as { readonly happyDOM: HappyDom }).happyDOM;
interface HappyDom {
  readonly settings: { handleDisabledFileLoadingAsSuccess: boolean };
}
beforeAll(() => void (settings.handleDisabledFileLoadingAsSuccess = true));
afterAll(() => void (settings.handleDisabledFileLoadingAsSuccess = false));

/** A page's HTML without what may differ: the title, the language, the script, and the markup before it runs. */
function readPage(path: string): string {
  const page = new DOMParser().parseFromString(readFileSync(path, 'utf8'), 'text/html');
  const style = page.querySelector('link[rel="stylesheet"]');
  style?.setAttribute('href', style.getAttribute('href')?.split('/').at(-1) ?? '');
  page.documentElement.removeAttribute('lang');
  page.querySelector('title')?.replaceChildren();
  page.querySelector('script')?.removeAttribute('src');
  page.querySelector('#popup')?.replaceChildren();
  const html = `${page.doctype?.name} ${page.documentElement.outerHTML}`;
  return html.replaceAll(/<!--.*?-->|\s+/gs, '');
}

test('the face page equals the popup’s page, except for its script', () => {
  const facePage = readPage('src/gallery/face.html');
  expect(facePage).toContain('popup.css');
  expect(facePage).toBe(readPage('src/popup/index.html'));
});
