// Pauses.

/** Resolves after `durationMs`, or as soon as `signal` aborts. Never rejects. */
export function pause(durationMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : durationMs);
    signal?.addEventListener('abort', end);
  });
}

/**
 * Resolves after 200 ms, in which a window opens or a page shows another state: a pause before work that is in no hurry. In
 * the next task the work would still take processor time from them. Never rejects.
 */
export function shortPause(): Promise<void> {
  return pause(200);
}
