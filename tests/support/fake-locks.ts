// The browser's locks in memory, as Web Locks has them: one holder or several that share, a queue, and everything is
// released when its page or worker ends.

import type { Locks } from '../../src/bridge/line/line.ts';

/** A page or worker that uses locks. */
export interface LockUser {
  readonly locks: Locks;
  /** The locks that it holds or waits for. */
  count(): number;
  /** Ends the page or worker: it's never called again, and its locks go to those who wait for them. */
  end(): void;
}

interface Claim {
  readonly name: string;
  readonly mode: LockMode;
  readonly user: object;
  readonly grant: () => void;
  status: 'waiting' | 'held';
}

/** Creates the locks of one origin. Each call of the result adds a page or worker. */
export function createFakeLocks(): () => LockUser {
  let claims: readonly Claim[] = [];

  const keep = (isKept: (claim: Claim) => boolean) => {
    claims = claims.filter(isKept);
    for (const [index, claim] of claims.entries()) {
      const before = claims.slice(0, index).filter(({ name }) => name === claim.name);
      const isFree = before.every(({ mode }) => mode === 'shared' && claim.mode === 'shared');
      if (claim.status === 'held' || !isFree) continue;
      claim.status = 'held';
      setImmediate(() => claims.includes(claim) && claim.grant());
    }
  };

  return () => {
    const user = {};
    const request = (
      name: string,
      optionsOrCallback: LockOptions | (() => unknown),
      callback = optionsOrCallback as () => unknown,
    ) =>
      new Promise((resolve, reject) => {
        const { mode = 'exclusive' }: LockOptions =
          typeof optionsOrCallback === 'function' ? {} : optionsOrCallback;
        const claim: Claim = {
          name,
          mode,
          user,
          status: 'waiting',
          grant() {
            const drop = () => keep((other) => other !== claim);
            Promise.resolve(callback()).then(resolve, reject).finally(drop);
          },
        };
        claims = [...claims, claim];
        keep(() => true);
      });
    return {
      locks: { request: request as Locks['request'] },
      count: () => claims.filter((claim) => claim.user === user).length,
      end: () => keep((claim) => claim.user !== user),
    };
  };
}

/** The `request` of `locks`, which fails once: the first time that a lock of this mode is requested. */
export function refuseOnce(locks: Locks, refused: LockMode): Locks['request'] {
  let hasRefused = false;
  const request = (name: string, ...args: readonly unknown[]) => {
    const { mode = 'exclusive' } = args.length > 1 ? (args[0] as LockOptions) : {};
    if (hasRefused || mode !== refused)
      return Reflect.apply(locks.request, locks, [name, ...args]) as unknown;
    hasRefused = true;
    return Promise.reject(new DOMException('No lock.', 'SecurityError'));
  };
  return request as Locks['request'];
}
