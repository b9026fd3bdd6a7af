import { expect, test } from 'vitest';
import { isPageOpen, type PagesBrowser } from '../../../src/background/toolbar.ts';

const background = {};
const popup = {};

/** A browser with contexts of these types beside the worker's own. */
function browserWith(...types: readonly string[]): PagesBrowser {
  const open = ['BACKGROUND', ...types];
  return {
    runtime: {
      getContexts: ({ contextTypes }) =>
        Promise.resolve(open.filter((type) => contextTypes.some((wanted) => wanted === type))),
    },
  };
}

test.each<[string, PagesBrowser, boolean]>([
  ['a browser without a page', browserWith(), false],
  ['a browser with a popup', browserWith('POPUP'), true],
  ['a browser with a tab', browserWith('TAB'), true],
  ['a browser with a side panel or a sidebar', browserWith('SIDE_PANEL'), true],
  ['a browser with a document that no one sees', browserWith('OFFSCREEN_DOCUMENT'), false],
  ['an older Firefox without a page', { runtime: {}, extension: { getViews: () => [background] } }, false],
  ['an older Firefox with a page', { runtime: {}, extension: { getViews: () => [background, popup] } }, true],
  ['a browser that does not say', { runtime: {} }, false],
])('isPageOpen finds the pages of %s', async (_title, browser, isOpen) => {
  expect(await isPageOpen(browser)).toBe(isOpen);
});

test('isPageOpen rejects as the browser does', async () => {
  const runtime = { getContexts: () => Promise.reject(new Error('Not now.')) };
  await expect(isPageOpen({ runtime })).rejects.toThrow('Not now.');
});
