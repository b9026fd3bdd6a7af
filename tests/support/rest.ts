// A worker at rest.

/** The operations of `crypto.subtle` that run on other threads now. All else takes turns of the event loop only. */
let computing = 0;

const operations = SubtleCrypto.prototype as unknown as Record<
  string,
  (...args: unknown[]) => Promise<unknown>
>;
for (const name of Object.keys(operations)) {
  const operation = operations[name];
  if (operation === undefined) continue;
  operations[name] = async function count(this: unknown, ...args) {
    computing += 1;
    try {
      return await operation.apply(this, args);
    } finally {
      computing -= 1;
    }
  };
}

/** Far more turns of the event loop than a transaction of the database or the body of a response takes. */
const quietTurns = 100;

/** Waits until the worker takes no more steps. */
export async function rest(worker: { readonly steps: () => number }): Promise<void> {
  let before = worker.steps();
  for (let quiet = 0; quiet < quietTurns; quiet += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (computing > 0 || worker.steps() !== before) quiet = 0;
    before = worker.steps();
  }
}
