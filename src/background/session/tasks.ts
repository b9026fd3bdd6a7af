// Work that goes on after its command was answered.

export interface Tasks {
  /** Lets `work` go on in the background. It reports its own failures, on the board; a rejection is dropped. */
  runInBackground(work: Promise<void>): void;
  /** Resolves when no work is running, including work that was started meanwhile. */
  whenIdle(): Promise<void>;
}

export function createTasks(): Tasks {
  const running = new Set<Promise<void>>();
  return {
    runInBackground(work) {
      const settled = work.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
    },
    async whenIdle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
