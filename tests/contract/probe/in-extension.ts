// The surroundings of a row in a real extension.

import type { Browser } from 'webextension-polyfill';
import {
  createLine,
  toServiceWorker,
  toWindow,
  type Carrier,
  type WorkerWindow,
} from '../../../src/bridge/line/line.ts';
import type { Act, ProviderPage } from '../row.ts';
import type { Surroundings } from './run-row.ts';

declare const browser: Browser;

/** Finds the worker as a page does (src/bridge/line/page-line.ts). */
async function findWorker(): Promise<Carrier> {
  // Firefox alone has it.
  if ('getBrowserInfo' in browser.runtime)
    return toWindow((await browser.runtime.getBackgroundPage()) as WorkerWindow);
  const { active } = await navigator.serviceWorker.ready;
  if (active === null) throw new Error('The extension has no worker.');
  return toServiceWorker(active);
}

/** `provider` is the address of the server of the contract, which also redirects back to the extension. */
export function inExtension(provider: string): Surroundings {
  const to = encodeURIComponent(browser.identity.getRedirectURL('contract'));
  return {
    browser,
    locks: navigator.locks,
    line: createLine(findWorker, navigator.locks),
    at: (page: ProviderPage) =>
      // A port at which no server listens.
      page === 'cannot load' ? 'http://localhost:9/' : `${provider}/${page}?to=${to}`,
    async outside(act: Act) {
      const { ok } = await fetch(`${provider}/act/${encodeURIComponent(act)}`, { method: 'POST' });
      if (!ok) throw new Error(`The test cannot do this: ${act}`);
    },
  };
}
