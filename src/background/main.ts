// The worker's entry point.

import { browser } from '../bridge/browser.ts';
import type { Entry } from '../bridge/report/entries.ts';
import startFeature from '../feature/worker.ts';
import { startInBrowser } from './start-in-browser.ts';

/** Prints the journal to the worker's console. */
function print(entry: Entry): void {
  // oxlint-disable-next-line no-console -- development only
  console.debug('Latchkey journal:', entry);
}

// A production build does not contain it.
startInBrowser(browser, startFeature, 'confined', import.meta.env.DEV ? print : undefined);
