// Measures how long each parser of outside input takes for hostile input of 1 kB to 256 kB, and the exponent of its
// growth from 16 kB on: 1 is linear, 2 is quadratic; garbage collection and other processes add up to 0.5.
// To run it: `node --import tsx tests/bench/parsers.ts`

import { performance } from 'node:perf_hooks';
import { hostileInputs } from '../support/hostile-inputs.ts';

const sizes = [1, 4, 16, 64, 256].map((kilobytes) => kilobytes * 1024);
/** The fastest run counts, because other load only adds time. */
const runs = 5;

function write(cells: readonly string[]): void {
  const [first = '', ...others] = cells;
  process.stdout.write(`${first.padEnd(44)}${others.map((cell) => cell.padStart(10)).join('')}\n`);
}

async function measureMs(parse: (input: string) => unknown, input: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedAtMs = performance.now();
    await parse(input);
    times.push(performance.now() - startedAtMs);
  }
  return Math.min(...times);
}

write(['ms', ...sizes.map((size) => `${size / 1024} kB`), 'exponent']);
for (const { name, fill, parse } of hostileInputs) {
  const times: number[] = [];
  await measureMs(parse, fill(4096));
  for (const size of sizes) times.push(await measureMs(parse, fill(size)));
  const [, , middle = NaN, , last = NaN] = times;
  // From 16 kB to 256 kB the size grows by 16. Times near zero show no growth.
  const exponent = last < 0.05 ? '-' : (Math.log(last / middle) / Math.log(16)).toFixed(2);
  write([name, ...times.map((time) => time.toFixed(3)), exponent]);
}
