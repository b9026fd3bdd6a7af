// The work that is under way in the worker: commands, sign-ins, renewals, revocations, a feature's requests. It keeps
// the worker running as long as it lasts, and an update of the extension waits for it.

import type { KeepAlive } from '../keep-alive.ts';

export interface Tasks {
  /** Counts `work` as under way until it settles, and returns it. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Lets `work` go on after its command was answered. It reports its own failures; a rejection is dropped. */
  runInBackground(work: Promise<void>): void;
  /**
   * Marks `work` as the part of other work that waits for the user, and returns it. It does not keep the worker
   * running: the browser does that by itself as long as its sign-in window is open, which may be hours.
   */
  waitForUser<T>(work: Promise<T>): Promise<T>;
  /** Whether no work is under way. */
  isIdle(): boolean;
  /** Calls `listener`, which must not throw, each time the last work under way has ended. */
  onIdle(listener: () => void): void;
}

export function createTasks(keepAlive: KeepAlive): Tasks {
  let underWay = 0;
  let waitingForUser = 0;
  const listeners = new Set<() => void>();

  const updateKeepAlive = () => {
    if (underWay > waitingForUser) keepAlive.begin();
    else keepAlive.end();
  };
  const track: Tasks['track'] = (work) => {
    const end = () => {
      underWay -= 1;
      updateKeepAlive();
      if (underWay > 0) return;
      for (const listener of listeners) listener();
    };
    underWay += 1;
    updateKeepAlive();
    work.then(end, end);
    return work;
  };

  return {
    track,
    runInBackground(work) {
      track(work).catch(() => undefined);
    },
    waitForUser(work) {
      const end = () => {
        waitingForUser -= 1;
        updateKeepAlive();
      };
      waitingForUser += 1;
      updateKeepAlive();
      work.then(end, end);
      return work;
    },
    isIdle: () => underWay === 0,
    onIdle: (listener) => void listeners.add(listener),
  };
}
