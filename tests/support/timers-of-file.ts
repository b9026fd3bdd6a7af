// Real timers that end with the file that began them. Other files follow in the same process, and would be blamed for what an
// earlier file's timer does.

/** The file that runs now. */
let file = {};

for (const name of ['setTimeout', 'setInterval'] as const) {
  const begin = globalThis[name] as (handler: (...args: unknown[]) => void, ...rest: unknown[]) => unknown;
  const beginForFile: typeof begin = (handler, ...rest) => {
    const own = file;
    return begin(
      (...args) => {
        if (own === file) handler(...args);
      },
      ...rest,
    );
  };
  // Node keeps its promising form of `setTimeout` there.
  Object.defineProperties(beginForFile, Object.getOwnPropertyDescriptors(begin));
  Object.assign(globalThis, { [name]: beginForFile });
}

/** Stops all timers that have begun. */
export function endTimers(): void {
  file = {};
}
