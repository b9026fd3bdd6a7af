// Waits until the page has been painted, and marks the paint that first shows the session.

/** Calls `run` after the next paint. A hidden page isn't painted until a user sees it. */
export function afterPaint(run: () => void): void {
  // The callback of a frame runs before its paint; a task queued there runs after it.
  requestAnimationFrame(() => queueTask(run));
}

interface Scheduler {
  postTask(run: () => void): Promise<void>;
}

/** Queues a task. Firefox holds timers back until the page has loaded, with the user's picture. */
function queueTask(run: () => void): void {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler };
  if (scheduler === undefined) setTimeout(run);
  else void scheduler.postTask(run);
}

/** A page that isn't painted within this time is probably not visible. */
const maxDelayMs = 500;

/** Resolves after the next paint, or after 500 ms. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, maxDelayMs);
    afterPaint(resolve);
  });
}

/** Calls `run` after the next paint or after 500 ms, once everything else that waits for it has run. */
export function wellAfterPaint(run: () => void): void {
  void nextPaint().then(() => queueTask(run));
}

const readyMark = 'latchkey:ready';

/** Sets the performance mark `latchkey:ready` after the next paint, unless the page has it: for measurements and tests. */
export function markReady(): void {
  afterPaint(() => {
    if (performance.getEntriesByName(readyMark).length === 0) performance.mark(readyMark);
  });
}
