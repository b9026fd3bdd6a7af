// A worker at rest.

/** Waits until the worker takes no more steps. */
export async function rest(worker: { readonly steps: () => number }): Promise<void> {
  for (let before = -1; before !== worker.steps();) {
    before = worker.steps();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
