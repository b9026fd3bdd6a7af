// Pauses.

/** Resolves after `durationMs`, or as soon as `signal` aborts. Never rejects. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal.aborted ? 0 : durationMs);
    signal.addEventListener('abort', end);
  });
}

/** Long enough for a window to open, or for a page to show another state. */
const shortMs = 200;

/**
 * Resolves after 200 ms: a pause before work that is in no hurry. In the next task the work would still take processor time
 * from the window that opens, or from the page that is painted. Never rejects.
 */
export function shortPause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, shortMs);
  });
}
