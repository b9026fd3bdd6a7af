// What a row of the contract gets in a real extension.

import type { Act, ProbedBrowser, ProviderPage } from '../row.ts';
import type { Surroundings } from './run-row.ts';

declare const browser: ProbedBrowser;

/** Both browsers come back to it. `provider` is the address of the server of the contract. */
export function inExtension(provider: string): Surroundings {
  const to = encodeURIComponent(browser.identity.getRedirectURL('contract'));
  return {
    browser,
    locks: navigator.locks,
    at: (page: ProviderPage) =>
      // Chromium and Firefox refuse to connect to port 1.
      page === 'cannot load' ? 'http://localhost:9/' : `${provider}/${page}?to=${to}`,
    async outside(act: Act) {
      const { ok } = await fetch(`${provider}/act/${encodeURIComponent(act)}`, { method: 'POST' });
      if (!ok) throw new Error(`The test cannot do this: ${act}`);
    },
  };
}
