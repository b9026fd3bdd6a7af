// Tells a page that the worker has gone, and the worker that a page has. A MessagePort tells neither. Each side holds a
// lock as long as it lives, and the browser gives the lock to the other when the holder ends, in whatever way.

/** The part of the browser's `navigator.locks` that is used here. */
export type Locks = Pick<LockManager, 'request'>;

/** Takes a lock for as long as this page or worker lives. Resolves with the lock's name once it is held. */
export function holdLock(locks: Locks): Promise<string> {
  const name = `latchkey:${crypto.randomUUID()}`;
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve(name);
      return new Promise<never>(() => undefined);
    };
    locks.request(name, hold).catch(reject);
  });
}

/** A function that takes one such lock at its first call, and resolves with its name. After a failure the next call tries again. */
export function createLife(locks: Locks): () => Promise<string> {
  let life: Promise<string> | null = null;
  return () =>
    (life ??= holdLock(locks).catch((error: unknown) => {
      life = null;
      throw error;
    }));
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
    // A browser that grants no locks has granted none to the holder either.
    locks.request(name, { mode: 'shared' }, tell).catch(tell);
    return listeners;
  };
  return (name, onGone) => {
    const listeners = waiting.get(name) ?? ask(name);
    listeners.add(onGone);
    return () => void listeners.delete(onGone);
  };
}
