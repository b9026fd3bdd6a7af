// Values that are made when they are first needed, and not at each start of the worker.

/** Returns a function that calls `make` once, at its first call, and returns that value each time. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= make());
}
