// The orders that are tried: those that aim at each step of a flow, and random ones.

import { drawnStates, flows, interruptions, type Flow } from './events.ts';
import { randomNumbers } from './gates.ts';
import { providerKinds } from './provider.ts';
import { runOrder, type Order, type Outcome, type Timed } from './search.ts';
import type { Fault } from './faults.ts';

/** How a call goes wrong, the most telling ways first. */
const ways = [
  'keeps failing',
  'is done and fails',
  'is done and hangs',
  'is done and keeps failing',
  'hangs',
  'fails',
] as const;

/**
 * How closely the flows are looked at: at `each call` in one of them, with what tells most; or at `each step` of each of them, with
 * everything that may come in between.
 */
export type Closeness = 'each call' | 'each step';

/** The events that find most are tried at each step of each flow, the rest once before or after each call. */
const often: readonly string[] = ['worker dies', 'another worker starts beside it', ...ways.slice(0, 4)];
const sometimes: readonly string[] = ['cancel', 'try again'];

/** The purpose of an order, so that no two share one. */
function toAim(closeness: Closeness, flow: Flow, what: string, before: string | undefined, step: string) {
  if (closeness === 'each call') return [what, step.replace(/ \w+$/, '')];
  const { kind, state, events: own } = flow;
  if (often.includes(what)) return [kind, state, ...own, what, before, step];
  return sometimes.includes(what) ? [kind, state, ...own, what, step] : [what, before, step];
}

/**
 * Orders that aim. Each flow runs undisturbed, which shows its steps, and then once for each step and each thing that can go wrong
 * or happen there.
 */
export async function* aim(closeness: Closeness, only: readonly Flow[] = flows): AsyncGenerator<Outcome> {
  const known = new Set<string>();
  const most = closeness === 'each step' ? Infinity : 2;
  let count = 0;
  for (const flow of only) {
    const { kind, state, events: own } = flow;
    const isNew = (what: string, before: string | undefined, step: string) =>
      known.size < known.add(toAim(closeness, flow, what, before, step).join()).size;
    const run = (more: readonly Timed[], faults: readonly Fault[]) => {
      count += 1;
      const manner = count % 2 === 0 ? 'chromium' : 'firefox';
      const ending = count % 7 === 0 ? 'agrees, signs in and out' : count % 3 === 0 ? 'closes' : 'agrees';
      const events = [...own.map((event) => ({ event, at: 0 })), ...more];
      return runOrder({ manner, state, events, policy: 'oldest', faults, kind, ending });
    };
    const outcome = await run([], []);
    yield outcome;
    const { passed, faulty } = outcome;
    for (const what of ways.slice(0, most))
      for (const [at, call] of faulty.entries())
        if (isNew(what, faulty[at - 1], call)) yield await run([], [{ what, of: at + 1 }]);
    for (const event of interruptions.slice(0, most))
      for (const [at, gate] of passed.entries())
        if (isNew(event, passed[at - 1], gate)) yield await run([{ event, at }], []);
  }
}

/** Random orders. The same seed draws the same ones. */
export async function* draw(seed: number, count: number): AsyncGenerator<Outcome> {
  const random = randomNumbers(seed);
  for (let number = 0; number < count; number += 1) yield await runOrder(createOrder(random));
}

/** A random order. */
function createOrder(random: () => number): Order {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
  const count = pick([1, 2, 2, 2, 3]);
  // Some work takes few steps, and some begins with the start of a worker.
  const within = pick([8, 25, 60]);
  return {
    manner: pick(['chromium', 'firefox']),
    state: pick(drawnStates),
    events: Array.from({ length: count }, (_, index) => ({
      event: random(),
      at: index === 0 ? 0 : below(within),
    })),
    policy: pick(['oldest', 'newest', { seed: below(2 ** 31) }]),
    faults: Array.from({ length: pick([0, 0, 0, 1, 1, 3]) }, () => ({
      what: pick(ways),
      of: 1 + below(15),
    })),
    kind: pick(providerKinds),
    ending: pick(['agrees', 'closes', 'agrees, signs in and out']),
  };
}
