// Counts the listeners that the code in src has on abort signals.

/** The place from which the function is called that calls this one. */
function readCaller(): string {
  const { stackTraceLimit } = Error;
  // To find the source of more places takes long.
  Error.stackTraceLimit = 3;
  const place = new Error('for its stack').stack?.split('\n')[3] ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  return place;
}

/**
 * Counts listeners from now on, until `stop` is called. Those of Node itself and of the tests do not count. A listener
 * is gone when it is removed, or when its signal has aborted, which calls it for the last time.
 */
export function countAbortListeners() {
  const signals = new Map<AbortSignal, Set<unknown>>();
  const { addEventListener: add, removeEventListener: remove } = AbortSignal.prototype;
  // oxlint-disable-next-line no-extend-native -- the platform's signals are what is counted; `stop` puts them back
  AbortSignal.prototype.addEventListener = function addEventListener(
    this: AbortSignal,
    ...[type, listener, options]: Parameters<typeof add>
  ) {
    if (readCaller().includes('/src/')) signals.set(this, (signals.get(this) ?? new Set()).add(listener));
    return add.call(this, type, listener, options);
  };
  // oxlint-disable-next-line no-extend-native -- as above
  AbortSignal.prototype.removeEventListener = function removeEventListener(
    this: AbortSignal,
    ...[type, listener, options]: Parameters<typeof remove>
  ) {
    signals.get(this)?.delete(listener);
    return remove.call(this, type, listener, options);
  };
  return {
    count: () =>
      [...signals].reduce((sum, [{ aborted }, listeners]) => sum + (aborted ? 0 : listeners.size), 0),
    stop() {
      // The originals are those of EventTarget.
      Reflect.deleteProperty(AbortSignal.prototype, 'addEventListener');
      Reflect.deleteProperty(AbortSignal.prototype, 'removeEventListener');
    },
  };
}
