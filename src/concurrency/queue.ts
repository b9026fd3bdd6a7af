// A queue of asynchronous work.

/** Runs `work` after all work that was queued before it, and settles as `work` does. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue that runs one piece of work at a time, in the order of the calls. Work that fails does not stop the next. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
