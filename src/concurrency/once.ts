// A value that is made when it is first needed, once for everyone who ever asks for it.

/**
 * A function that calls `make` at its first call, and returns that value each time. If `make` returns a promise, all calls
 * share it, even if it rejects.
 */
export function once<T extends object>(make: () => T): () => T {
  let value: T | null = null;
  return () => (value ??= make());
}
