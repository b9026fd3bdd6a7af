// Queues, shared runs, time limits and pauses for asynchronous work.

/** Runs `work` after all work that was queued before it, and settles as `work` does. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue that runs one piece of work at a time, in the order of the calls. Work that fails doesn't stop the next. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/**
 * A function that runs `work`. Calls during a run join it and settle with it, whatever their arguments; the next
 * call after its end, failed or not, starts a new run.
 */
export function singleFlight<Arguments extends readonly unknown[], T>(
  work: (...args: Arguments) => Promise<T>,
): (...args: Arguments) => Promise<T> {
  let running: Promise<T> | null = null;
  return (...args) =>
    (running ??= work(...args).finally(() => {
      running = null;
    }));
}

/**
 * A function that calls `make` at its first call, and returns that value each time. If `make` returns a promise, all calls
 * share it, even if it rejects.
 */
export function once<T extends object>(make: () => T): () => T {
  let value: T | null = null;
  return () => (value ??= make());
}

/**
 * Settles as `work` does, or as `onTimeout` does if `work` takes longer than `timeoutMs`. The work itself goes on;
 * only the waiting ends.
 */
export async function withTimeout<T, Late>(
  work: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Late,
): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  }).then(onTimeout);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How long the browser may take. Less than half as long as a page waits for the reply to a command. */
export const deadlineMs = 4_000;

/**
 * Settles as `call` of the extension API does, or rejects if the browser doesn't respond in time: otherwise the call would block what
 * waits for it, and keep the worker awake. The call itself goes on, so a write may still be done.
 */
export function inTime<T>(call: Promise<T>): Promise<T> {
  return withTimeout(call, deadlineMs, () => {
    throw new Error('The browser has not answered in time.');
  });
}

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

/** Resolves after 200 ms, before work that is in no hurry and would take processor time from a window that opens. Never rejects. */
export function shortPause(): Promise<void> {
  return pause(200);
}

/**
 * A function that asks for a run of `work`. The run begins when `whenIdle` resolves. Calls until then share it; a call after that
 * causes another run, after this one. A run that fails isn't repeated.
 */
export function runLater(work: () => Promise<void>, whenIdle: () => Promise<void>): () => void {
  let last: Promise<unknown> = Promise.resolve();
  let isWaiting = false;
  const run = async () => {
    await whenIdle();
    isWaiting = false;
    await work();
  };
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    last = last.then(run).catch(() => undefined);
  };
}
