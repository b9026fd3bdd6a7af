// Checks a page with axe-core.

import axe from 'axe-core';
import type { Page } from 'puppeteer-core';

declare global {
  var axe: typeof import('axe-core');
}

/**
 * Returns the violations that axe finds. Its incomplete results are left out: they concern the contrast and size of
 * elements under an open panel or a sticky note, and other views show the same elements uncovered.
 */
export async function findViolations(page: Page): Promise<readonly string[]> {
  await provideAxe(page);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      preload: false,
    }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary.replaceAll(/\s+/g, ' ')}`),
  );
}

async function provideAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in globalThis)) return;
  await page.evaluate(axe.source);
  // COMPAT(Chromium 156): in forced colours, -webkit-text-fill-color, which axe reads first, reports the colour without
  // forcing; `color` is the visible one. Delete this when both are the same.
  await page.evaluate(() => {
    if (!matchMedia('(forced-colors: active)').matches) return;
    const { getPropertyValue } = CSSStyleDeclaration.prototype;
    CSSStyleDeclaration.prototype.getPropertyValue = function getSeenValue(name) {
      return getPropertyValue.call(this, name === '-webkit-text-fill-color' ? 'color' : name);
    };
  });
}
