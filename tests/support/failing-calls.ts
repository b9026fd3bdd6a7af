// Calls of which one goes wrong. A scene is played once to learn which calls are made in it, and once more for each of them.

/** A call that goes wrong: the `count`th of its name. */
export interface Failure {
  readonly way: 'rejects' | 'hangs';
  readonly call: string;
  readonly count: number;
}

/** The faults of a played scene; false for none. */
export type Faults = readonly (string | false)[];

export const onlyFaults = (faults: Faults) => faults.filter((fault) => fault !== false);

/** Makes calls, and counts them. */
export class CountedCalls {
  /** How often each was made. */
  readonly made = new Map<string, number>();
  private readonly failure: Failure | null;

  constructor(failure: Failure | null = null) {
    this.failure = failure;
  }

  /** `reject` throws what the call rejects with, where a plain error is not what its caller knows. */
  async run<T>(call: string, effect: () => T | Promise<T>, reject?: () => void): Promise<T> {
    const count = (this.made.get(call) ?? 0) + 1;
    this.made.set(call, count);
    if (call !== this.failure?.call || count !== this.failure.count) return effect();
    if (this.failure.way === 'hangs') return new Promise(() => undefined);
    reject?.();
    throw new Error(`${call} fails.`);
  }
}

/** The faults that `play` finds, by the call that goes wrong. */
export async function failEach(
  calls: Iterable<readonly [call: string, times: number]>,
  way: Failure['way'],
  play: (failure: Failure) => Promise<Faults>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const faults: [string, readonly string[]][] = [];
  for (const [call, times] of calls) {
    for (let count = 1; count <= times; count += 1) {
      const found = onlyFaults(await play({ way, call, count }));
      if (found.length > 0) faults.push([`${call} (${count})`, found]);
    }
  }
  return Object.fromEntries(faults);
}

/** The rejections that were not handled. */
export const strayRejections: unknown[] = [];

export const strayFaults = () => strayRejections.map((reason) => `an unhandled rejection: ${String(reason)}`);

/** Collects these rejections from now on. Returns what ends that. */
export function collectRejections(): () => void {
  const handlers = process.listeners('unhandledRejection');
  const collect = (reason: unknown) => void strayRejections.push(reason);
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', collect);
  return () => {
    process.removeListener('unhandledRejection', collect);
    for (const handler of handlers) process.on('unhandledRejection', handler);
  };
}
