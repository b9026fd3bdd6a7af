// Collects the facts about this browser and this installation, and writes the report.

import { persistence } from 'latchkey:config';
import { browser } from '../browser.ts';
import type { Board, StorageArea } from '../session/board.ts';
import { readJournal } from './journal-lines.ts';
import { toReport } from './report.ts';

/** `navigator.userAgentData`, which Firefox doesn't have. */
interface UserAgentData {
  getHighEntropyValues(
    hints: readonly string[],
  ): Promise<{ readonly fullVersionList?: readonly { readonly brand: string; readonly version: string }[] }>;
}

/** Writes the report of this installation, with the journal from `area`. Rejects if the browser's API fails. */
export async function writeReport(area: Pick<StorageArea, 'get'>, board: Board | null): Promise<string> {
  const { name, version } = browser.runtime.getManifest();
  const [lines, browserName, { os, arch }] = await Promise.all([
    // Without the journal, a report still helps.
    readJournal(area).catch(() => []),
    findBrowserName(),
    browser.runtime.getPlatformInfo(),
  ]);
  return toReport(lines, {
    nowMs: Date.now(),
    product: name,
    version,
    extensionId: browser.runtime.id,
    browser: `${browserName} on ${os}, ${arch}`,
    language: browser.i18n.getUILanguage(),
    persistence,
    board,
  });
}

async function findBrowserName(): Promise<string> {
  const { userAgentData } = navigator as { userAgentData?: UserAgentData };
  if (userAgentData === undefined) {
    const { name, version } = await browser.runtime.getBrowserInfo();
    return `${name} ${version}`;
  }
  const { fullVersionList = [] } = await userAgentData.getHighEntropyValues(['fullVersionList']);
  // Chromium adds a made-up brand, such as "Not A;Brand", so that sites don't rely on the list.
  const brands = fullVersionList.filter(({ brand }) => !(/not/i.test(brand) && /brand/i.test(brand)));
  return brands.map(({ brand, version }) => `${brand} ${version}`).join(', ');
}
