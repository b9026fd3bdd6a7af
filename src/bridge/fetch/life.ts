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

/** Calls `onGone` once the holder of the lock has gone, unless `signal` aborts before. */
export function watchLock(locks: Locks, name: string, onGone: () => void, signal: AbortSignal): void {
  // Rejects when the signal aborts.
  locks.request(name, { mode: 'shared', signal }, onGone).catch(() => undefined);
}
