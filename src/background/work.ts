// The work that is under way in the worker: commands, sign-ins, renewals, revocations, a feature's requests. It keeps
// the worker running as long as it lasts, and an update of the extension waits for it.

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

// Applies an update of the extension: the browser offers it, and it takes effect when the extension is reloaded.

export interface UpdateParts {
  readonly tasks: Pick<Tasks, 'isIdle' | 'onIdle'>;
  readonly isPageOpen: () => Promise<boolean>;
  /** Whether a reload, which empties the memories of the worker and of the browser, loses nothing. */
  readonly isHarmless: () => Promise<boolean>;
  readonly reload: () => void;
}

/**
 * A function to be called when the browser offers an update. It reloads the extension as soon as no work is under way, no page
 * of the extension is open, and a reload is harmless. It looks again whenever the last work has ended, which includes each
 * command and each request of a page; no timer runs. If this worker doesn't get to apply the update, the browser does: Chromium
 * once the worker and all pages have stopped, and both browsers when they start.
 */
export function createUpdate({ tasks, isPageOpen, isHarmless, reload }: UpdateParts): () => void {
  let isOffered = false;

  const apply = async () => {
    if (!isOffered || (await isPageOpen()) || !(await isHarmless())) return;
    // Work may have begun meanwhile, and this runs again at its end. Another run may have been faster.
    if (!isOffered || !tasks.isIdle()) return;
    isOffered = false;
    reload();
  };
  // If the browser fails, the update waits for the next chance.
  const tryToApply = () => void apply().catch(() => undefined);

  tasks.onIdle(tryToApply);
  return () => {
    isOffered = true;
    if (tasks.isIdle()) tryToApply();
  };
}
