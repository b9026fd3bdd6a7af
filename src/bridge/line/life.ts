// Tells a page when the worker is gone, and the worker when a page is. A MessagePort does neither. Each side holds a
// lock as long as it lives, and the browser gives the lock to the other side when the holder ends, in whatever way.

/** The part of the browser's `navigator.locks` that is used here. */
export type Locks = Pick<LockManager, 'request'>;

/**
 * A function that takes a lock for as long as this page or worker lives, and resolves with its name once it is held. All
 * calls share the lock; after a failure the next one tries again.
 */
export function createLife(locks: Locks): () => Promise<string> {
  let life: Promise<string> | null = null;
  const hold = () =>
    new Promise<string>((resolve, reject) => {
      const name = `latchkey:${crypto.randomUUID()}`;
      const live = () => {
        resolve(name);
        return new Promise<never>(() => undefined);
      };
      locks.request(name, live).catch((error: unknown) => {
        life = null;
        reject(error);
      });
    });
  return () => (life ??= hold());
}

/** Calls `onGone` once the holder of the lock `name` has gone, unless the function that it returns is called before. */
export type Watch = (name: string, onGone: () => void) => () => void;

/** Creates a watch that asks the browser for each lock once, however many requests wait for it. */
export function createWatch(locks: Locks): Watch {
  const waiting = new Map<string, Set<() => void>>();
  // A function of its own: the browser keeps what it refers to, which must not be one of the requests.
  const ask = (name: string) => {
    const listeners = new Set<() => void>();
    waiting.set(name, listeners);
    const tell = () => {
      waiting.delete(name);
      for (const listener of listeners) listener();
    };
    // If the browser grants no locks, the holder didn't get one either.
    locks.request(name, { mode: 'shared' }, tell).catch(tell);
    return listeners;
  };
  return (name, onGone) => {
    const listeners = waiting.get(name) ?? ask(name);
    listeners.add(onGone);
    return () => void listeners.delete(onGone);
  };
}
