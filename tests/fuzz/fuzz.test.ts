// A fuzzer for everything that is parsed. It changes inputs as they really come, and keeps each one that ends in a way that none
// has before. `npm test` tries what it has kept. The long run also tries each single change of each input that comes as it is, and
// then random changes for six minutes.

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomNumbers } from '../support/explorer/gates.ts';
import { isLong } from '../support/extent.ts';
import { readSeed } from '../support/seed.ts';
import { changeEachMember, mutate } from './mutate.ts';
import { outcomeOf } from './outcome.ts';
import { targets, type Target } from './targets.ts';

/** The inputs that the fuzzer has kept, by the name of the target. */
const corpus = join(import.meta.dirname, 'corpus.json');
/** The long run writes the grown corpus here, to copy, and how many inputs it tried. */
const folder = 'node_modules/.cache/fuzz';

const kept = JSON.parse(readFileSync(corpus, 'utf8')) as Readonly<Record<string, readonly string[]>>;

const minutes = 3;
const basesOfEach = 8;
const longMs = 100;

interface Fault {
  readonly input: string;
  readonly fault: string;
}

type Tried = Fault | { readonly outcome: string };

/** The outcome of an input, without numbers; or the fault. */
async function tryInput({ run }: Target, input: string): Promise<Tried> {
  try {
    return { outcome: (await outcomeOf(() => run(input))).replaceAll(/\d+/g, '1') };
  } catch (error) {
    return { input, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/**
 * The processor time of one try, in milliseconds: other processes don't count. The shortest of three, so that a pause doesn't
 * either.
 */
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

test.each(targets)('$name: what has been found once has no fault', async (target) => {
  const faults: Fault[] = [];
  for (const input of [...target.seeds, ...(kept[target.name] ?? [])]) {
    const tried = await tryInput(target, input);
    if ('fault' in tried) faults.push(tried);
  }
  expect(faults).toEqual([]);
});

test('the corpus names targets only', () => {
  expect(Object.keys(kept).filter((name) => targets.every((target) => target.name !== name))).toEqual([]);
});

/** Whether two inputs end in the same way. */
function isSame(one: Tried, other: Tried): boolean {
  if ('fault' in one) return 'fault' in other && firstLine(one.fault) === firstLine(other.fault);
  return 'outcome' in other && one.outcome === other.outcome;
}

const firstLine = (text: string) => text.split('\n', 1)[0];

/** A shorter input that ends in the same way, where a few hundred cuts lead to one. */
async function shorten(target: Target, input: string): Promise<string> {
  const whole = await tryInput(target, input);
  let shortest = input;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0, cuts = 0; at < shortest.length && cuts < 50; cuts += 1) {
      const shorter = shortest.slice(0, at) + shortest.slice(at + size);
      if (isSame(whole, await tryInput(target, shorter))) shortest = shorter;
      else at += size;
    }
  }
  return shortest;
}

const finds = new Map<string, readonly string[]>();

test.runIf(isLong).each(targets)('$name: no changed input has a fault', async (target) => {
  const random = randomNumbers(readSeed());
  /** The first input with each outcome, to keep. */
  const pool: string[] = [];
  /** Some more of each, to go on from. */
  const bases: string[] = [];
  const outcomes = new Map<string, number>();
  const kinds = new Map<string, Fault>();
  const add = async (input: string) => {
    const start = performance.now();
    const tried = await tryInput(target, input);
    if (performance.now() - start > longMs && (await measure(target, input)) > longMs) {
      kinds.set('slow', { input, fault: `It takes more than ${longMs} ms.` });
    }
    if ('fault' in tried) {
      const kind = tried.fault.split('\n', 2).join();
      if (!kinds.has(kind)) kinds.set(kind, { ...tried, input: await shorten(target, input) });
      return;
    }
    const count = outcomes.get(tried.outcome) ?? 0;
    outcomes.set(tried.outcome, count + 1);
    if (count === 0) pool.push(input);
    if (count < basesOfEach) bases.push(input);
  };
  for (const input of [...target.seeds, ...(kept[target.name] ?? [])]) await add(input);
  const known = pool.length;
  let tries = 0;
  // Nothing that one change of a seed shows is left to luck.
  for (const seed of target.seeds) {
    for (const input of changeEachMember(seed)) {
      await add(input);
      tries += 1;
    }
  }
  const endMs = Date.now() + (minutes * 60_000) / targets.length;
  while (Date.now() < endMs && kinds.size < 10) {
    const base = bases[Math.floor(random() * bases.length)] ?? '';
    await add(mutate(base, bases, random));
    tries += 1;
  }
  const shortened = await Promise.all(pool.slice(known).map((input) => shorten(target, input)));
  const older = pool.slice(0, known).filter((input) => !target.seeds.includes(input));
  const isShort = (input: string) => input.length <= 2_000;
  finds.set(target.name, [...older, ...shortened].filter(isShort));
  mkdirSync(folder, { recursive: true });
  const line = `${target.name}: ${tries} inputs, ${outcomes.size} outcomes, ${pool.length - known} of them new\n`;
  appendFileSync(join(folder, 'report.txt'), line);
  writeFileSync(
    join(folder, 'corpus.json'),
    JSON.stringify({ ...kept, ...Object.fromEntries(finds) }, null, 1),
  );
  expect([...kinds.values()]).toEqual([]);
});
