// One run of asynchronous work for everyone who asks for it while it runs.

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
