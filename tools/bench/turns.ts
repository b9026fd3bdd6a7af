// Measures several things in turns, so that other load on the machine affects all of them.

/** Takes the measures in turns, each once in a turn, and returns the values of each. */
export async function takeInTurns<Name extends string, Value>(
  measures: Readonly<Record<Name, () => Promise<Value>>>,
  turns: number,
): Promise<Readonly<Record<Name, readonly Value[]>>> {
  const names = Object.keys(measures) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  // The first fills caches.
  for (let turn = -1; turn < turns; turn += 1) {
    // No measure always follows the same one.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const value = await measures[name]();
      if (turn >= 0) values[name].push(value);
    }
  }
  return values;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}
