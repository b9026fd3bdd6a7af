// Measures several things in turns, so that other load on the machine affects all of them.

/** Takes the measures in turns, each once in a turn, and returns the values of each. */
export async function takeInTurns<Value>(
  measures: Readonly<Record<string, () => Promise<Value>>>,
  turns: number,
): Promise<(name: string) => readonly Value[]> {
  const named = Object.entries(measures);
  const values = new Map(named.map(([name]) => [name, [] as Value[]]));
  // The first fills caches.
  for (let turn = -1; turn < turns; turn += 1) {
    // No measure always follows the same one.
    for (const [name, measure] of turn % 2 === 0 ? named : named.toReversed()) {
      const value = await measure();
      if (turn >= 0) values.get(name)?.push(value);
    }
  }
  return (name) => values.get(name) ?? [];
}

/** Takes the measures in turns, and returns the median of each. */
export async function measureInTurns(
  measures: Readonly<Record<string, () => Promise<number>>>,
  turns: number,
): Promise<(name: string) => number> {
  const valuesOf = await takeInTurns(measures, turns);
  return (name) => median(valuesOf(name));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}
