// @vitest-environment happy-dom

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A page's HTML without what may differ: the title, the language, the styles, the script, and the markup before it runs. */
function readPage(path: string): string {
  const html = readFileSync(path, 'utf8').replaceAll(/<link rel="stylesheet".*?>/g, '');
  const page = new DOMParser().parseFromString(html, 'text/html');
  page.documentElement.removeAttribute('lang');
  page.querySelector('title')?.replaceChildren();
  page.querySelector('script')?.removeAttribute('src');
  page.querySelector('#popup')?.replaceChildren();
  return `${page.doctype?.name} ${page.documentElement.outerHTML}`.replaceAll(/<!--.*?-->|\s+/gs, '');
}

test('the gallery’s page equals the popup’s, except for its script and its styles', () => {
  const page = readPage('tools/gallery/index.html');
  expect(page).toContain('<divid="popup">');
  expect(page).toBe(readPage('src/popup/index.html'));
});
