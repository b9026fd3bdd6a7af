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
 * Resolves after 200 ms: a pause before work that is in no hurry. In that time a window can open, or a page can show another
 * state. If the work ran in the next task, it would still take processor time from them. Never rejects.
 */
export function shortPause(): Promise<void> {
  return pause(200);
}
