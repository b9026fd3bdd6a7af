// Work that no one is waiting for.

import { createQueue } from './queue.ts';

/**
 * A function that asks for a run of `work`. The run begins when `whenIdle` resolves. Calls until then share it; a call after that
 * causes another run, after this one. A run that fails is not repeated.
 */
export function runLater(work: () => Promise<void>, whenIdle: () => Promise<void>): () => void {
  const queue = createQueue();
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    const run = async () => {
      await whenIdle();
      isWaiting = false;
      await work();
    };
    queue(run).catch(() => undefined);
  };
}
