// The line of this page to the worker in the browser.

import { browser } from '../browser.ts';
import {
  createLine,
  toServiceWorker,
  toWindow,
  type Transport,
  type Line,
  type WorkerWindow,
} from './line.ts';

let line: Line | null = null;

/** The one line of this page. */
export function pageLine(): Line {
  return (line ??= createLine(findWorker, navigator.locks));
}

/** The way to the worker, which is woken if needed. Rejects if there is none, as in an extension that is being switched off. */
async function findWorker(): Promise<Transport> {
  // Firefox alone has `getBrowserInfo`, and runs the worker in a page without a window on the screen.
  if (browser.runtime.getBrowserInfo !== undefined) {
    return toWindow((await browser.runtime.getBackgroundPage()) as WorkerWindow);
  }
  const { active } = await navigator.serviceWorker.ready;
  if (active === null) throw new Error('The worker is being replaced.');
  // A message wakes it.
  return toServiceWorker(active);
}
