// Runs the orders of an extent, and keeps the shortest of those that violate something.

import { eventNames, type EventName } from './events.ts';
import type { Violation } from './invariants.ts';
import {
  circumstantial,
  createChance,
  besideOrders,
  faultyOrders,
  pairOrders,
  randomPair,
  randomWalk,
  singleOrders,
  type Single,
} from './orders.ts';
import { possibleIn, runOrder, type Order, type Outcome } from './run.ts';
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
  /** How many pairs of events ran, in some state. */
  readonly pairs: number;
}

export interface Extent {
  readonly seed: number;
  /** The share of all events in all states that is run alone. */
  readonly singleShare: number;
  /** The share of all pairs at all steps that is run. */
  readonly share: number;
  /** The share of all pairs of events that is run at least once, in some state. */
  readonly pairShare: number;
  /** The share of the steps of the pairs that showed most faults. */
  readonly richShare: number;
  /** The share of all faults of a single call. */
  readonly faultShare: number;
  /** The share of the steps at which another worker starts beside the first one. */
  readonly besideShare: number;
  /** The number of orders of three or four events that chance makes up. */
  readonly walks: number;
}

/** An order that is possible with one policy may be impossible with another. */
const maxTries = 2;

/** Runs the orders of an extent: the same ones each time. */
export async function explore({
  seed,
  singleShare,
  share,
  pairShare,
  richShare,
  faultShare,
  besideShare,
  walks,
}: Extent): Promise<Exploration> {
  const chance = createChance(seed);
  const shortest = new Map<string, Finding>();
  const pairs = new Set<string>();
  let runs = 0;

  const run = async (order: Order): Promise<Outcome> => {
    const outcome = await runOrder(order);
    if (outcome.status === 'impossible') return outcome;
    runs += 1;
    pairs.add(toPairName(order));
    for (const violation of outcome.violations) {
      const finding = { order, violation, outcome };
      const known = shortest.get(kindOf(finding));
      if (known === undefined || sizeOf(order) < sizeOf(known.order)) shortest.set(kindOf(finding), finding);
    }
    return outcome;
  };

  const singles: Single[] = [];
  const possible = await possibleFirst();
  for (const order of singleOrders(possible, singleShare, chance)) {
    const outcome = await run(order);
    const [first] = order.events;
    if (first !== undefined && eventNames.includes(first.event))
      singles.push({ state: order.state, event: first.event, outcome });
  }
  singles.push(...circumstantial(possible));
  for (const order of faultyOrders(singles, faultShare, chance)) await run(order);
  for (const order of besideOrders(singles, besideShare, chance)) await run(order);
  for (const order of pairOrders(singles, { share, richShare }, chance)) await run(order);
  for (const first of eventNames) {
    const found = singles.filter(({ event }) => event === first);
    for (const second of eventNames) {
      if (!chance.happens(pairShare)) continue;
      for (let tries = 0; tries < maxTries && !pairs.has(`${first}, ${second}`); tries += 1) {
        const order = randomPair(found, second, chance);
        if (order !== null) await run(order);
      }
    }
  }
  for (let walk = 0; walk < walks; walk += 1) await run(randomWalk(singles, chance));
  pairs.delete('');
  return { findings: [...shortest.values()], runs, pairs: pairs.size };
}

/** The events that are possible in each state. */
async function possibleFirst(): Promise<ReadonlyMap<StateName, ReadonlySet<EventName>>> {
  const possible = new Map<StateName, ReadonlySet<EventName>>();
  for (const name of stateNames) possible.set(name, await possibleIn(name));
  return possible;
}

/** The first two events; empty if there is only one. */
function toPairName({ events: [first, second] }: Order): string {
  return first === undefined || second === undefined ? '' : `${first.event}, ${second.event}`;
}

/** Findings of one kind probably have one cause. */
function kindOf({ order, violation, outcome }: Finding): string {
  const events = order.events.map(({ event }) => event).toSorted();
  return [violation.invariant, ...events, order.fault?.what, ...outcome.befallen].join(' | ');
}

/** The smaller, the shorter. A shorter order is easier to understand: fewer events, no fault, earlier. */
export function sizeOf({ events, fault, policy }: Order): number {
  const steps = events.reduce((sum, { at }) => sum + (typeof at === 'number' ? at : 0), 0);
  return events.length * 1000 + (fault === null ? 0 : 1000) + steps + (policy === 'oldest' ? 0 : 500);
}
