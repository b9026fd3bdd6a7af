// How long each parser of outside input takes for hostile input of 1 kB to 256 kB, the most that is read, and the exponent
// of its growth from 16 kB on: 1 is linear, 2 is quadratic. Below that, fixed costs are a part of each time.

import { hostileInputs } from '../support/hostile-inputs.ts';
import { measureGrowth, toExponent } from './fastest.ts';
import type { Line, Measured } from './results.ts';

const kilobytes = [1, 4, 16, 64, 256];
const judgedFromKilobytes = 16;
const fewestRuns = 5;
/** A short run is repeated for as long, because the compiler needs some of them. */
const enoughMs = 20;
const mostRuns = 100;
/** So many lines can be told apart in a plot. */
const shownLines = 6;

export async function measureParsers(): Promise<Measured> {
  const lines: Line[] = [];
  for (const { name, fill, parse } of hostileInputs) {
    await measureMs(parse, fill(4096));
    const points = await measureGrowth(kilobytes, judgedFromKilobytes, (size) =>
      measureMs(parse, fill(size * 1024)),
    );
    lines.push({ name, points });
  }
  const slowest = lines.toSorted((one, other) => lastOf(other) - lastOf(one));
  const steepest = lines.toSorted((one, other) => exponentOf(other) - exponentOf(one));
  const [first, steep] = [slowest[0] ?? noLine, steepest[0] ?? noLine];
  return {
    rows: [
      {
        id: 'parsers',
        what: `the slowest of ${lines.length} hostile inputs of 256 kB: ${first.name}`,
        place: 'node',
        unit: 'ms',
        value: lastOf(first),
        limits: [{ name: 'linear growth from 16 kB', value: 16 * (judged(first)[0]?.[1] ?? NaN) }],
        peers: [],
      },
      {
        id: 'parsers-exponent',
        what: `the highest exponent of growth of the parsers, 16 kB to 256 kB: ${steep.name}`,
        place: 'node',
        unit: 'exponent',
        value: exponentOf(steep),
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

const noLine: Line = { name: '', points: [] };

const judged = ({ points }: Line) => points.filter(([size]) => size >= judgedFromKilobytes);
const exponentOf = (line: Line): number => toExponent(judged(line));
const lastOf = ({ points }: Line): number => points.at(-1)?.[1] ?? NaN;

/** The fastest of several runs. */
async function measureMs(parse: (input: string) => unknown, input: string): Promise<number> {
  let [fastest, total] = [Infinity, 0];
  for (let run = 0; run < fewestRuns || (run < mostRuns && total < enoughMs); run += 1) {
    const startedAtMs = performance.now();
    await parse(input);
    const tookMs = performance.now() - startedAtMs;
    total += tookMs;
    fastest = Math.min(fastest, tookMs);
  }
  return fastest;
}
