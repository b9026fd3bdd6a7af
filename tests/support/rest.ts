// A worker at rest.

type Method = (this: SubtleCrypto, ...parameters: unknown[]) => Promise<unknown>;

/** The cryptographic operations that have begun and not ended. They run in threads, which a busy machine lets wait. */
const operations = new Set<Promise<unknown>>();

/** Follows the operations from now on. Returns what ends that. */
export function followCryptography(): () => void {
  const subtle = SubtleCrypto.prototype as unknown as Record<string, Method>;
  const originals = { ...subtle };
  for (const [name, method] of Object.entries(originals)) {
    subtle[name] = function (...parameters) {
      const operation = method.apply(this, parameters);
      const end = () => operations.delete(operation);
      operations.add(operation);
      operation.then(end, end);
      return operation;
    };
  }
  return () => void Object.assign(subtle, originals);
}

/** The real one, also while a test has replaced it. */
const startTimer = setTimeout;

/** More turns of the event loop than there are between two steps of a worker. One of them is a timer. */
const quietTurns = 25;
const timerTurn = 12;

/**
 * Waits until the worker takes no more steps. It counts turns of the event loop, because a busy machine may stop this
 * process for longer than any time that a test would wait.
 */
export async function rest(worker: { readonly steps: () => number }): Promise<void> {
  let before = -1;
  for (let turn = 1; turn <= quietTurns; turn += 1) {
    await new Promise((resolve) => (turn === timerTurn ? startTimer(resolve) : setImmediate(resolve)));
    if (worker.steps() === before && operations.size === 0) continue;
    await Promise.allSettled(operations);
    before = worker.steps();
    turn = 0;
  }
}
