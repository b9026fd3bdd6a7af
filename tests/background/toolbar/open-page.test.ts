import { expect, test } from 'vitest';
import { isPageOpen } from '../../../src/background/toolbar/open-page.ts';

const background = {};
const popup = {};

test.each([
  ['Chromium without a page', { runtime: { getContexts: () => Promise.resolve([]) } }, false],
  ['Chromium with a page', { runtime: { getContexts: () => Promise.resolve([popup]) } }, true],
  ['Firefox without a page', { runtime: {}, extension: { getViews: () => [background] } }, false],
  ['Firefox with a page', { runtime: {}, extension: { getViews: () => [background, popup] } }, true],
  ['a browser that does not say', { runtime: {} }, false],
])('isPageOpen finds the pages of %s', async (_title, browser, isOpen) => {
  expect(await isPageOpen(browser)).toBe(isOpen);
});

test('isPageOpen rejects as the browser does', async () => {
  const runtime = { getContexts: () => Promise.reject(new Error('Not now.')) };
  await expect(isPageOpen({ runtime })).rejects.toThrow('Not now.');
});
