// One run of asynchronous work for everyone who ever asks for it.

/** A function that runs `work` at its first call. All calls share that promise, also a rejected one. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= work());
}
