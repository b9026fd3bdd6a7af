// Turns of the event loop.

/** The platform's own, also while a test has replaced the timers. */
const inLaterTask = setImmediate;

/** Resolves after so many turns. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => inLaterTask(resolve));
}
