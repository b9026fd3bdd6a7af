// Keeps the worker running during work that the browser does not count, such as a fetch that waits for its response.

export interface KeepAlive {
  /** Work is under way: the worker must keep running. */
  begin(): void;
  /** The last work has ended. */
  end(): void;
}

/** Chromium stops a worker that was idle for 30 s. */
const intervalMs = 20_000;

/**
 * Calls `touch`, which must call the browser's API, at least every 20 s while work is under way. The timer stops when it
 * fires and finds none.
 */
export function createKeepAlive(touch: () => unknown): KeepAlive {
  let status: 'working' | 'idle' = 'idle';
  let timer: ReturnType<typeof setInterval> | undefined;

  const tick = () => {
    if (status === 'working') {
      touch();
      return;
    }
    clearInterval(timer);
    timer = undefined;
  };
  return {
    begin() {
      status = 'working';
      if (timer !== undefined) return;
      // The worker may have been idle for a while. The timer outlives short work: pieces that follow each other get a
      // call every 20 s, and a thousand of them do not cost a thousand calls.
      touch();
      timer = setInterval(tick, intervalMs);
    },
    end() {
      status = 'idle';
    },
  };
}
