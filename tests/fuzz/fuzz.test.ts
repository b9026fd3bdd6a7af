// A fuzzer for what is parsed. It changes inputs as they really come, and goes on from each one that ends in a way that none has
// before. `npm test` tries those that it has kept, and the long run goes on from there for ten minutes.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomNumbers } from '../support/explorer/gates.ts';
import { isLong } from '../support/extent.ts';
import { readSeed } from '../support/seed.ts';
import { mutate } from './mutate.ts';
import { outcomeOf } from './outcome.ts';
import { targets, type Target } from './targets.ts';

/** The inputs that the fuzzer has kept, by the name of the target. */
const corpus = join(import.meta.dirname, 'corpus.json');
/** The long run writes the grown corpus here, to copy. */
const folder = 'node_modules/.cache/fuzz';

const kept = JSON.parse(readFileSync(corpus, 'utf8')) as Readonly<Record<string, readonly string[]>>;

const minutes = 10;
const longMs = 100;

/** What becomes of an input, without numbers. A fault throws an error that quotes the input. */
async function tryInput({ run }: Target, input: string): Promise<string> {
  try {
    return (await outcomeOf(() => run(input))).replaceAll(/\d+/g, '1');
  } catch (cause) {
    throw new Error(`A fault with the input ${JSON.stringify(input)}`, { cause });
  }
}

/** The processor time of one try in milliseconds, the shortest of three: neither other processes nor a pause count. */
async function measure(target: Target, input: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const start = process.cpuUsage();
    await tryInput(target, input);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

const inputsOf = ({ name, seeds }: Target) => [...seeds, ...(kept[name] ?? [])];

test.each(targets)('$name: what has been found once has no fault', async (target) => {
  for (const input of inputsOf(target)) expect(await tryInput(target, input)).toBeTypeOf('string');
});

test('the corpus names targets only', () => {
  expect(Object.keys(kept).filter((name) => targets.every((target) => target.name !== name))).toEqual([]);
});

const grown: Record<string, readonly string[]> = { ...kept };

test.runIf(isLong).each(targets)('$name: no changed input has a fault', async (target) => {
  const random = randomNumbers(readSeed());
  const pool = inputsOf(target);
  const outcomes = new Set(await Promise.all(pool.map((input) => tryInput(target, input))));
  const endMs = Date.now() + (minutes * 60_000) / targets.length;
  while (Date.now() < endMs) {
    const input = mutate(pool[Math.floor(random() * pool.length)] ?? '', pool, random);
    const start = performance.now();
    const outcome = await tryInput(target, input);
    if (performance.now() - start > longMs && (await measure(target, input)) > longMs) {
      throw new Error(`It takes more than ${longMs} ms: ${JSON.stringify(input)}`);
    }
    if (outcomes.has(outcome)) continue;
    outcomes.add(outcome);
    pool.push(input);
  }
  grown[target.name] = pool.filter((input) => input.length <= 2_000 && !target.seeds.includes(input));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'corpus.json'), JSON.stringify(grown, null, 1));
  expect(outcomes.size).toBeGreaterThan(1);
});
