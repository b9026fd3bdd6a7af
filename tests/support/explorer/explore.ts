// Chooses the orders to run: each pair of events, in each state, at each step, and each write that may fail.

import { eventNames, type EventName } from './events.ts';
import { randomNumbers, type Policy } from './gates.ts';
import type { Violation } from './invariants.ts';
import { runOrder, type Order, type Outcome } from './run.ts';
import { stateNames, type StateName } from './states.ts';

/** An order that violates something. */
export interface Finding {
  readonly order: Order;
  readonly violation: Violation;
  readonly outcome: Outcome;
}

export interface Exploration {
  /** The shortest order for each kind of violation. */
  readonly findings: readonly Finding[];
  /** How many orders ran to their end. */
  readonly runs: number;
  /** The pairs of events that ran in some state. */
  readonly pairs: ReadonlySet<string>;
}

export interface Extent {
  readonly seed: number;
  /** The share of all orders that is run; each pair is run at least once. */
  readonly share: number;
}

/** One event in one state, and what it does when nothing else happens. */
interface Single {
  readonly state: StateName;
  readonly event: EventName;
  readonly outcome: Outcome;
}

const policies: readonly Policy[] = ['oldest', 'newest'];
const endings: readonly Order['ending'][] = ['agrees', 'closes'];

/** Runs orders until the extent is reached. Calls `onFinding` with each order that violates something. */
export async function explore({ seed, share }: Extent): Promise<Exploration> {
  const random = randomNumbers(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const shortest = new Map<string, Finding>();
  const pairs = new Set<string>();
  let runs = 0;

  const run = async (order: Order): Promise<Outcome> => {
    const outcome = await runOrder(order);
    if (outcome.status === 'impossible') return outcome;
    runs += 1;
    for (const violation of outcome.violations) {
      const finding = { order, violation, outcome };
      const kind = kindOf(finding);
      const known = shortest.get(kind);
      if (known === undefined || sizeOf(order) < sizeOf(known.order)) shortest.set(kind, finding);
    }
    return outcome;
  };

  const singles: Single[] = [];
  for (const state of stateNames) {
    for (const event of eventNames) {
      const order = toOrder(state, [{ event, at: 0 }], 'oldest', pick(endings));
      const outcome = await run(order);
      if (outcome.status === 'ran') singles.push({ state, event, outcome });
    }
  }

  for (const { state, event, outcome } of singles) {
    for (let write = 1; write <= outcome.writes.length; write += 1) {
      if (random() >= share * 2) continue;
      await run({ ...toOrder(state, [{ event, at: 0 }], 'oldest', pick(endings)), failingWrite: write });
    }
  }

  for (const second of eventNames) {
    for (const first of eventNames) {
      const found = singles.filter(({ event }) => event === first);
      if (found.length === 0) continue;
      const runPair = async ({ state, outcome }: Single, at: number) => {
        const events = [
          { event: first, at: 0 },
          { event: second, at },
        ];
        const { status } = await run(toOrder(state, events, pick(policies), pick(endings)));
        if (status === 'ran') pairs.add(`${first}, ${second}`);
        return outcome;
      };
      for (const single of found) {
        for (let at = 0; at <= single.outcome.steps; at += 1) {
          if (random() < share) await runPair(single, at);
        }
      }
      // A pair that chance has left out.
      for (let tries = 0; tries < 4 && !pairs.has(`${first}, ${second}`); tries += 1) {
        const single = pick(found);
        await runPair(single, Math.floor(random() * (single.outcome.steps + 1)));
      }
    }
  }
  return { findings: [...shortest.values()], runs, pairs };
}

function toOrder(state: StateName, events: Order['events'], policy: Policy, ending: Order['ending']): Order {
  return { state, events, policy, failingWrite: null, ending };
}

/** Findings of one kind probably have one cause. */
function kindOf({ order, violation }: Finding): string {
  const events = order.events.map(({ event }) => event).toSorted();
  const isFailing = order.failingWrite === null ? '' : 'a write fails';
  return [violation.invariant, ...events, isFailing].join(' | ');
}

/** The smaller, the shorter. A shorter order is easier to understand: fewer events, no failing write, earlier, in the plain order. */
export function sizeOf({ events, failingWrite, policy }: Order): number {
  const steps = events.reduce((sum, { at }) => sum + at, 0);
  return events.length * 1000 + (failingWrite === null ? 0 : 1000) + steps + (policy === 'oldest' ? 0 : 500);
}
