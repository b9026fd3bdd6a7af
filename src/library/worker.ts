// The package's entry point for the worker: `latchkey/worker`.

import type { StartFeature } from '../background/feature/feature-worker.ts';
import { startInBrowser } from '../background/start-in-browser.ts';
import { browser } from '../bridge/browser.ts';
import { toGuestBrowser } from './guest-browser.ts';

export { FetchRefused, type RefusalReason } from '../bridge/fetch/errors.ts';
export type { StartFeature };
export type { FeatureWorkerProps } from '../feature/feature-props.ts';
export type { Claims, ClaimValue, Profile } from '../session/view.ts';

/**
 * Starts Latchkey in the background worker of the extension. Call it once, at the top level of the worker's script and not
 * after an `await`, because the browser only calls listeners that the script has registered when it ends. It calls `startFeature`
 * at once, with a `fetch` that attaches the signed-in user's token, and with functions that tell who is signed in.
 *
 * Latchkey leaves the toolbar button alone, ignores the extension's messages, and keeps its items under
 * keys of its own.
 */
export function startWorker(startFeature: StartFeature = () => undefined): void {
  startInBrowser(toGuestBrowser(browser), startFeature);
}
