// Measures several things in turns, so that other load on the machine affects all of them.

interface Turns {
  readonly turns: number;
  /** Turns before the others that fill caches and do not count. Default 1. */
  readonly warmUp?: number;
}

/** Takes the measures in turns, each once in a turn, and returns the median of each. */
export async function measureInTurns<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
  { turns, warmUp = 1 }: Turns,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[];
  const values = new Map(names.map((name) => [name, [] as number[]]));
  for (let turn = -warmUp; turn < turns; turn += 1) {
    // No measure always follows the same one.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const value = await measures[name]();
      if (turn >= 0) values.get(name)?.push(value);
    }
  }
  return Object.fromEntries([...values].map(([name, measured]) => [name, median(measured)])) as Record<
    Name,
    number
  >;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}

/** Milliseconds since the epoch, to compare with a page's `performance.timeOrigin + performance.now()`. */
export function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
