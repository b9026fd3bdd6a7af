// A pause until the work that the present event causes at once has begun.

/** Resolves in a task of its own, so that work which nobody waits for does not delay the work of this one. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
