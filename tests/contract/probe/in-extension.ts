// The surroundings of a row in a real extension.

import { browser } from '../../../src/bridge/browser.ts';
import { pageLine } from '../../../src/bridge/line/page-line.ts';
import type { Act, ProviderPage } from '../row.ts';
import type { Surroundings } from './run-row.ts';

/** `provider` is the address of the server of the contract, which also redirects back to the extension. */
export function inExtension(provider: string): Surroundings {
  const to = encodeURIComponent(browser.identity.getRedirectURL('contract'));
  return {
    browser,
    locks: navigator.locks,
    line: pageLine(),
    at: (page: ProviderPage) =>
      // A port at which no server listens.
      page === 'cannot load' ? 'http://localhost:9/' : `${provider}/${page.replaceAll(' ', '-')}?to=${to}`,
    loads: async () => Number(await (await fetch(`${provider}/loads`)).text()),
    async outside(act: Act) {
      const { ok } = await fetch(`${provider}/act/${encodeURIComponent(act)}`, { method: 'POST' });
      if (!ok) throw new Error(`The test cannot do this: ${act}`);
    },
  };
}
