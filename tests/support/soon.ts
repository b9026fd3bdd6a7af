// The pause of a worker before work that no one is waiting for, as short as a test likes it.

/** Resolves in the next task. */
export const soon: () => Promise<void> = () =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
