// The worker's entry point.

import { browser } from '../bridge/browser.ts';
import startFeature from '../feature/worker.ts';
import { startInBrowser } from './start-in-browser.ts';

/** Prints the journal to the worker's console. */
function print(line: string): void {
  // oxlint-disable-next-line no-console -- development only
  console.debug('Latchkey journal:', line);
}

// A production build doesn't contain it.
startInBrowser(browser, startFeature, 'confined', import.meta.env.DEV ? print : undefined);
