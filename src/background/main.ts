// The worker's entry point.

import { browser } from '../bridge/browser.ts';
import type { Entry } from '../bridge/report/entries.ts';
import startFeature from '../feature/worker.ts';
import { startInBrowser } from './start-in-browser.ts';

/** Prints the journal to the worker's console in a development build; a production build does not contain it. */
function print(entry: Entry): void {
  // oxlint-disable-next-line no-console -- development only
  if (import.meta.env.DEV) console.debug('Latchkey journal:', entry);
}

startInBrowser(browser, startFeature, print);
