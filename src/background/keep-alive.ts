// Keeps the worker running during work that the browser does not count, such as a fetch that waits for its response.
// No timer runs while there is no such work.

import type { KeepAlive } from '../bridge/fetch/serve-fetch.ts';

/** Chromium stops a worker that was idle for 30 s. */
const intervalMs = 20_000;

/** Calls `touch`, which must call the browser's API, every 20 s while at least one piece of work is open. */
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
