// A pause that can be cut short.

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
