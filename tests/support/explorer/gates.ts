// The gates between the worker and the outside world. Each call passes one before it begins and one before it returns,
// and waits there until the scheduler opens it. So the order of everything is the scheduler's choice, and repeatable.

/** The life of one worker. Once it ends, none of its calls begins or returns. */
export interface WorkerLife {
  isOver: boolean;
}

/**
 * Which gate opens next: the one that waits longest, the newest one (so that a new event overtakes everything that was
 * under way), or one chosen by chance from a seed.
 */
export type Policy = 'oldest' | 'newest' | { readonly seed: number };

interface Waiting {
  readonly life: WorkerLife;
  readonly channel: string;
  readonly phase: 'begins' | 'returns';
  readonly label: string;
  readonly open: () => void;
}

/** Creates the gates, at which nothing is waiting yet. */
export function createGates() {
  let waiting: Waiting[] = [];
  const passed: string[] = [];
  const chance = new Map<number, () => number>();

  const wait = (life: WorkerLife, channel: string, phase: Waiting['phase'], label: string) =>
    new Promise<void>((open) => {
      if (!life.isOver) waiting.push({ life, channel, phase, label, open });
    });

  const open = (one: Waiting) => {
    waiting = waiting.filter((other) => other !== one);
    passed.push(`${one.label} ${one.phase}`);
    one.open();
  };

  /** A channel is a queue: of each, only the first call that waits to begin and the first that waits to return. */
  const heads = () =>
    waiting.filter(
      (one, index) =>
        waiting.findIndex((other) => other.channel === one.channel && other.phase === one.phase) === index,
    );

  const choose = (policy: Policy): Waiting | undefined => {
    if (policy === 'oldest') return waiting[0];
    const candidates = heads();
    if (policy === 'newest') return candidates.at(-1);
    const next = chance.get(policy.seed) ?? randomNumbers(policy.seed);
    chance.set(policy.seed, next);
    return candidates[Math.floor(next() * candidates.length)];
  };

  return {
    /** The calls that have passed a gate, in order: `storage.local.set board begins`. */
    passed: passed as readonly string[],
    /** Runs `effect` between two gates. Calls of one channel begin in their order, and return in their order. */
    async run<T>(life: WorkerLife, channel: string, label: string, effect: () => Promise<T>): Promise<T> {
      await wait(life, channel, 'begins', label);
      try {
        return await effect();
      } finally {
        await wait(life, channel, 'returns', label);
      }
    },
    /** Opens the next gate; false if none is waiting. */
    openNext(policy: Policy): boolean {
      const next = choose(policy);
      if (next !== undefined) open(next);
      return next !== undefined;
    },
    /** Opens all gates that wait now, in their order; false if none is waiting. */
    openAll(): boolean {
      const all = waiting;
      for (const one of all) open(one);
      return all.length > 0;
    },
    /** Ends a life: what waits at its gates never continues. With `late`, the calls that it has made still arrive. */
    end(life: WorkerLife, late?: 'late'): void {
      life.isOver = true;
      const own = waiting.filter((one) => one.life === life);
      waiting = waiting.filter((one) => one.life !== life);
      for (const one of own) if (late !== undefined && one.phase === 'begins') open(one);
    },
    /** Whether nothing is waiting. */
    isIdle: () => waiting.length === 0,
    /** Whether the browser has yet to answer a call that it answers at once, if it is not broken. */
    isAnswering: () =>
      waiting.some(({ label }) => !label.startsWith('network') && label !== 'identity.launchWebAuthFlow'),
  };
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). They repeat themselves after 2 ** 32, as the state does. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
