// A worker at rest.

type Method = (this: SubtleCrypto, ...parameters: unknown[]) => Promise<unknown>;

/** The cryptographic operations that have begun and not ended. They run in threads, which a busy machine lets wait. */
let operations = 0;

/** Counts the operations from now on. Returns what ends that. */
export function countCryptography(): () => void {
  const subtle = SubtleCrypto.prototype as unknown as Record<string, Method>;
  const originals = { ...subtle };
  for (const [name, method] of Object.entries(originals)) {
    subtle[name] = async function (...parameters) {
      operations += 1;
      try {
        return await method.apply(this, parameters);
      } finally {
        operations -= 1;
      }
    };
  }
  return () => void Object.assign(subtle, originals);
}

/** The real one, also while a test has replaced it. */
const startTimer = setTimeout;

/** More turns of the event loop than there are between two steps of a worker, with a timer in every fifth. */
const quietTurns = 25;

/**
 * Waits until the worker takes no more steps. It counts turns of the event loop, because a busy machine may stop this
 * process for longer than any time that a test would wait.
 */
export async function rest(worker: { readonly steps: () => number }): Promise<void> {
  let before = -1;
  for (let turn = 1; turn <= quietTurns; turn += 1) {
    await new Promise((resolve) => (turn % 5 === 0 ? startTimer(resolve) : setImmediate(resolve)));
    if (worker.steps() === before && operations === 0) continue;
    before = worker.steps();
    turn = 0;
  }
}
