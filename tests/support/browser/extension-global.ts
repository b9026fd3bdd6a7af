// The globals of the extension's pages and worker, for the functions that tests run there.

import type { Browser } from 'webextension-polyfill';

/** Both browsers have `chrome`, whose calls return promises. */
export interface ExtensionGlobal {
  readonly chrome: Browser;
}
