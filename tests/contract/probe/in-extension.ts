// The surroundings of a row in a real extension.

import { lineToServiceWorker, lineToWindow, type Line, type WorkerWindow } from '../../../src/bridge/line.ts';
import type { Act, ProbedBrowser, ProviderPage } from '../row.ts';
import type { Surroundings } from './run-row.ts';

declare const browser: ProbedBrowser & {
  readonly runtime: {
    getBackgroundPage(): Promise<WorkerWindow>;
    /** Firefox alone has it. */
    readonly getBrowserInfo?: unknown;
  };
};

/** Finds the line to the worker as a feature does (src/bridge/fetch/connect-feature.ts). */
async function findLine(): Promise<Line> {
  const { getBackgroundPage, getBrowserInfo } = browser.runtime;
  if (getBrowserInfo !== undefined) return lineToWindow(await getBackgroundPage());
  const { active } = await navigator.serviceWorker.ready;
  if (active === null) throw new Error('The extension has no worker.');
  return lineToServiceWorker(active);
}

/** `provider` is the address of the server of the contract, which also redirects back to the extension. */
export function inExtension(provider: string): Surroundings {
  const to = encodeURIComponent(browser.identity.getRedirectURL('contract'));
  return {
    browser,
    locks: navigator.locks,
    findLine,
    at: (page: ProviderPage) =>
      // A port at which no server listens.
      page === 'cannot load' ? 'http://localhost:9/' : `${provider}/${page}?to=${to}`,
    async outside(act: Act) {
      const { ok } = await fetch(`${provider}/act/${encodeURIComponent(act)}`, { method: 'POST' });
      if (!ok) throw new Error(`The test cannot do this: ${act}`);
    },
  };
}
