// The pause of a worker before what nobody waits for, as short as a test likes it.

import type { Unhurried } from '../../src/concurrency/unhurried.ts';

/** Resolves in the next task. */
export const soon: Unhurried = () =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
