// Waits until the page has been painted.

/** Calls `run` after the next paint. A page that is not visible is not painted before a person sees it. */
export function afterPaint(run: () => void): void {
  // The callback of a frame runs before its paint; a task queued there runs after it.
  requestAnimationFrame(() => queueTask(run));
}

interface Scheduler {
  postTask(run: () => void): Promise<void>;
}

/** Queues a task. Firefox holds timers back until the page has loaded, with the person's picture. */
function queueTask(run: () => void): void {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler };
  if (scheduler === undefined) setTimeout(run);
  else void scheduler.postTask(run);
}

/** A page that is not painted within this time is probably not visible. */
const maxDelayMs = 500;

/** Resolves after the next paint, or after 500 ms. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, maxDelayMs);
    afterPaint(resolve);
  });
}

/** Calls `run` after the next paint or after 500 ms, when everything else has run that waits for it. */
export function wellAfterPaint(run: () => void): void {
  void nextPaint().then(() => queueTask(run));
}
