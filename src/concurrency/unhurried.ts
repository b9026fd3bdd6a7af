// A pause before work that nobody waits for.

/** Resolves when such work may begin. Never rejects. */
export type Unhurried = () => Promise<void>;

/** Long enough for a window to open, or for a page to show another state. */
const pauseMs = 200;

/**
 * Resolves after 200 ms. In the next task the work would still take processor time from the window that opens, or from the
 * page that is painted.
 */
export const unhurried: Unhurried = () =>
  new Promise((resolve) => {
    setTimeout(resolve, pauseMs);
  });
