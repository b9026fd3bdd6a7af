// Times that grow with a size, so measured that their exponent says something: other load and garbage collections only add
// time, so the fastest run of each size counts, and growth that looks faster than linear is measured again.

/** The time of each size, in ms, in the order of the sizes. */
export type Times = readonly (readonly [size: number, ms: number])[];

/** A shorter time at the largest size shows no growth: it is fixed costs, and the clock's steps. */
const leastMs = 1;
/** A larger exponent is measured again. */
const suspicious = 1.1;
/** How often at the most. */
const rounds = 5;

/** The exponent of the growth from the first size to the last: 0 is flat, 1 is linear, 2 is quadratic. */
export function toExponent(times: Times): number {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || last[1] < leastMs) return 0;
  return Math.log(last[1] / first[1]) / Math.log(last[0] / first[0]);
}

/** Measures each size. The exponent from `judgedFrom` to the largest one decides whether it is measured again. */
export async function measureGrowth(
  sizes: readonly number[],
  judgedFrom: number,
  measureMs: (size: number) => Promise<number>,
): Promise<Times> {
  const fastest = new Map(sizes.map((size) => [size, Infinity]));
  const times = () => [...fastest];
  for (let round = 0; round < rounds; round += 1) {
    for (const size of sizes) {
      fastest.set(size, Math.min(fastest.get(size) ?? Infinity, await measureMs(size)));
    }
    if (toExponent(times().filter(([size]) => size >= judgedFrom)) <= suspicious) break;
  }
  return times();
}
