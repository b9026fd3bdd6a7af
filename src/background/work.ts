// The work that is under way in the worker: commands, sign-ins, renewals, revocations, a feature's requests. It keeps
// the worker running as long as it lasts, and an update of the extension waits for it.

import { deadlineMs, withTimeout } from '../concurrency.ts';
import type { Environment } from '../oidc/http.ts';

/** Chromium stops a worker that was idle for 30 s. */
const intervalMs = 20_000;

export type Work = ReturnType<typeof createWork>;

/**
 * Calls `touch`, which must call the browser's API, at least every 20 s while work is under way: the browser doesn't count a fetch
 * that waits for its response. The timer stops when it fires and finds no work.
 */
export function createWork(touch: () => unknown) {
  let underWay = 0;
  let waitingForUser = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  let onIdle: (() => void) | undefined;

  const tick = (): unknown => {
    if (underWay > waitingForUser) return touch();
    clearInterval(timer);
    timer = undefined;
  };
  const keepAlive = () => {
    if (underWay <= waitingForUser || timer !== undefined) return;
    // The worker may have been idle for a while. The timer outlives short work: pieces that follow each other get a
    // call every 20 s, and a thousand of them don't cost a thousand calls.
    touch();
    timer = setInterval(tick, intervalMs);
  };

  /** Counts `work` as under way until it settles, and returns it. */
  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay += 1;
    keepAlive();
    const end = () => {
      underWay -= 1;
      if (underWay === 0) onIdle?.();
    };
    work.then(end, end);
    return work;
  };

  return {
    track,
    /** Lets `work` go on after the reply to its command. It reports its own failures; a rejection is dropped. */
    runInBackground(work: Promise<void>): void {
      track(work).catch(() => undefined);
    },
    /**
     * Marks `work` as the part of other work that waits for the user, and returns it. It doesn't keep the worker
     * running: the browser does that by itself as long as its sign-in window is open, which may be hours.
     */
    waitForUser<T>(work: Promise<T>): Promise<T> {
      waitingForUser += 1;
      const end = () => {
        waitingForUser -= 1;
        keepAlive();
      };
      work.then(end, end);
      return work;
    },
    /** Whether no work is under way. */
    isIdle: () => underWay === 0,
    /** From now on calls `listener` alone, which must not throw, each time the last work under way has ended. */
    onIdle(listener: () => void): void {
      onIdle = listener;
    },
  };
}

/**
 * The environment, in which each request counts as work: some are sent ahead of need, and no one is waiting for them. A browser that does
 * not say whether a host may be reached is taken to allow it.
 */
export function trackRequests(world: Environment, { track }: Work): Environment {
  const allows = () => true;
  return {
    ...world,
    fetch: (url, init) => track(world.fetch(url, init)),
    mayReach: (origin) => withTimeout(world.mayReach(origin).catch(allows), deadlineMs, allows),
  };
}

interface UpdateParts {
  readonly work: Pick<Work, 'isIdle' | 'onIdle'>;
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
export function createUpdate({ work, isPageOpen, isHarmless, reload }: UpdateParts): () => void {
  let isApplied = false;

  const apply = async () => {
    if (isApplied || !work.isIdle() || (await isPageOpen()) || !(await isHarmless())) return;
    // Work may have begun meanwhile, and this runs again at its end. Another run may have been faster.
    if (isApplied || !work.isIdle()) return;
    isApplied = true;
    reload();
  };

  return () => {
    // If the browser fails, the update waits for the next chance.
    const tryToApply = () => void apply().catch(() => undefined);
    isApplied = false;
    work.onIdle(tryToApply);
    tryToApply();
  };
}
