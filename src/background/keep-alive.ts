// Keeps the worker running while something is open that the browser does not count as work, such as a fetch that
// waits for its answer. It runs no timer while nothing is.

import type { KeepAlive } from '../bridge/fetch/serve-fetch.ts';

/** A worker is stopped when it has been idle for 30 s. */
const intervalMs = 20_000;

/** Calls `touch`, which is any call of the browser's API, every 20 s while at least one piece of work is open. */
export function createKeepAlive(touch: () => unknown): KeepAlive {
  let open = 0;
  let timer: ReturnType<typeof setInterval> | undefined;

  const end = () => {
    open -= 1;
    if (open === 0) clearInterval(timer);
  };
  return (work) => {
    open += 1;
    if (open === 1) timer = setInterval(touch, intervalMs);
    work.then(end, end);
  };
}
