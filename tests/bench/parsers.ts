// How long each parser of outside input takes for hostile input of 1 kB to 256 kB, the most that is read, and the exponent
// of its growth from 16 kB on: 1 is linear, 2 is quadratic; garbage collection and other processes add up to 0.5.

import { hostileInputs } from '../support/hostile-inputs.ts';
import type { Line, Measured } from './results.ts';

const sizes = [1, 4, 16, 64, 256].map((kilobytes) => kilobytes * 1024);
/** The fastest run counts, because other load only adds time. */
const runs = 5;
/** So many lines can be told apart in a plot. */
const shownLines = 6;
/** Times near zero show no growth. */
const leastMs = 0.05;

export async function measureParsers(): Promise<Measured> {
  const lines: Line[] = [];
  for (const { name, fill, parse } of hostileInputs) {
    await measureMs(parse, fill(4096));
    const points: [number, number][] = [];
    for (const size of sizes) points.push([size / 1024, await measureMs(parse, fill(size))]);
    lines.push({ name, points });
  }
  const slowest = lines.toSorted((one, other) => lastOf(other) - lastOf(one));
  const [first] = slowest;
  return {
    rows: [
      {
        id: 'parsers',
        what: `the slowest of ${lines.length} hostile inputs of 256 kB: ${first?.name ?? ''}`,
        place: 'node',
        unit: 'ms',
        value: first === undefined ? NaN : lastOf(first),
        limits: [{ name: 'linear growth from 16 kB', value: first === undefined ? NaN : 16 * at(first, 2) }],
        peers: [],
      },
      {
        id: 'parsers-exponent',
        what: 'the highest exponent of growth of the parsers, 16 kB to 256 kB',
        place: 'node',
        unit: 'exponent',
        value: Math.max(...lines.map(toExponent)),
        limits: [{ name: 'linear', value: 1 }],
        peers: [],
      },
    ],
    plots: [
      {
        id: 'parsers',
        title: `The slowest ${shownLines} of ${lines.length} hostile inputs`,
        place: 'node',
        size: 'input, kB',
        value: 'time, ms',
        lines: slowest.slice(0, shownLines),
      },
    ],
  };
}

function toExponent(line: Line): number {
  // From 16 kB to 256 kB the size grows by 16.
  return lastOf(line) < leastMs ? 0 : Math.log(lastOf(line) / at(line, 2)) / Math.log(16);
}

const at = ({ points }: Line, index: number): number => points[index]?.[1] ?? NaN;
const lastOf = ({ points }: Line): number => points.at(-1)?.[1] ?? NaN;

async function measureMs(parse: (input: string) => unknown, input: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedAtMs = performance.now();
    await parse(input);
    times.push(performance.now() - startedAtMs);
  }
  return Math.min(...times);
}
