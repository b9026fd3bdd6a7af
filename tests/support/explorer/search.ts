// An order of events: in some state, at some steps, with some write or request that goes wrong. It runs to its end, and then
// the invariants are checked.

import type { Manner } from '../fake-browser.ts';
import { strayFaults } from '../failing-calls.ts';
import { finish, type Ending } from './aftermath.ts';
import { events, possibleEvents, states, type EventName, type StateName } from './events.ts';
import type { Policy } from './gates.ts';
import { checkIdle, checkWritten, describe, invariants, type Violation } from './invariants.ts';
import type { ProviderKind } from './provider.ts';
import { Stage } from './stage.ts';
import type { Fault } from './faults.ts';

/** An event, and when it happens. */
export interface Timed {
  /** Its name, or its place among those that are possible then, from 0 to 1. */
  readonly event: EventName | number;
  /** After so many steps, or when a call passes a gate: `storage.local.set board begins`. In any case when nothing moves. */
  readonly at: number | string;
}

export interface Order {
  readonly manner: Manner;
  readonly state: StateName;
  readonly events: readonly Timed[];
  /** Which of the calls that wait passes next. */
  readonly policy: Policy;
  readonly faults: readonly Fault[];
  readonly kind: ProviderKind;
  readonly ending: Ending;
}

export interface Outcome {
  readonly violations: readonly Violation[];
  /** The steps so far, for people. */
  readonly story: readonly string[];
  /** The same order, with the names of its events. */
  readonly order: Order;
  /** The gates that were passed until the worker rested, and which of these calls could have failed. */
  readonly passed: readonly string[];
  readonly faulty: readonly string[];
}

/** Far more than any order takes. */
const maxSteps = 2_000;

/** Runs one order. The same order has the same outcome each time. Time must stand still: `stopTime`. */
export async function runOrder(order: Order): Promise<Outcome> {
  const [way, ...before] = states[order.state];
  const stage = new Stage(order.manner, way, order.kind);
  await begin(stage, before);
  const violations: Violation[] = [];
  const story: string[] = [];
  const happened: Timed[] = [];
  stage.onWritten = (held) => {
    const state = describe(stage, held);
    if (!story.at(-1)?.endsWith(state)) story.push(`after "${stage.gates.passed.at(-1)}", ${state}`);
    violations.push(...checkWritten(stage, held));
  };
  stage.faults.calls.length = 0;
  stage.witness.seen.length = 0;
  stage.witness.hasUserEnded = false;
  const begun = stage.gates.passed.length;
  stage.faults.planned = order.faults;
  const rest = [...order.events];
  let since = stage.gates.passed.length;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    await stage.rest();
    const [next] = rest;
    const passed = stage.gates.passed.slice(since);
    const isDue = typeof next?.at === 'number' ? passed.length >= next.at : passed.includes(next?.at ?? '');
    if (next !== undefined && (isDue || stage.gates.isIdle())) {
      // A row whose moment never comes proves nothing.
      if (!isDue && typeof next.at === 'string') throw new Error(`This never came: ${next.at}.`);
      rest.shift();
      since = stage.gates.passed.length;
      const event = toName(stage, next.event);
      happened.push({ event, at: next.at });
      story.push(`${event}, ${passed.length === 0 ? 'at once' : `after "${passed.at(-1)}"`}`);
      const happens = events[event](stage);
      // The order without it shows as much.
      if (happens === null) return { violations: [], story, order, passed: [], faulty: [] };
      await happens();
    } else if (!stage.gates.openNext(order.policy)) {
      await stage.endFormer();
      if (!(await stage.movesSoon())) break;
    }
  }
  if (!stage.gates.isIdle()) violations.push({ invariant: 'settles', detail: 'the worker never rests' });
  const passed = stage.gates.passed.slice(begun);
  const faulty = [...stage.faults.calls];
  for (const { of, what } of order.faults) story.push(`"${stage.faults.calls[of - 1] ?? 'no call'}" ${what}`);
  stage.faults.planned = [];
  if (order.faults.some(({ what }) => what.endsWith('hangs'))) {
    // All time limits run out.
    stage.letMinutePass();
    await stage.drain();
  }
  story.push('the worker rests; then what is natural happens');
  violations.push(...checkIdle(stage, await stage.held()));
  violations.push(...(await finish(stage, order.ending)));
  violations.push(...strayFaults().map((detail) => ({ invariant: 'settles' as const, detail })));
  return { violations, story, order: { ...order, events: happened }, passed, faulty };
}

/** Brings a new worker into a state. */
async function begin(stage: Stage, before: readonly EventName[]): Promise<void> {
  await stage.drain();
  // Metadata and keys are in the cache, as they are whenever a popup was open before.
  for (const event of ['open', ...before] as const) {
    const happens = events[event](stage);
    if (happens === null) throw new Error(`Not possible here: ${event}.`);
    await happens();
    await stage.drain();
  }
  // A revocation that has failed is tried again when a page opens.
  stage.isDisturbed = before.some((one) =>
    ['network fails', 'provider is busy', 'the disk is full'].includes(one),
  );
}

function toName(stage: Stage, event: EventName | number): EventName {
  if (typeof event !== 'number') return event;
  const possible = possibleEvents(stage);
  return possible[Math.floor(event * possible.length)]!;
}

/** Runs orders until one violates something. Resolves with a short one that does, as a text, and with what has occurred. */
export async function search(outcomes: AsyncIterable<Outcome>): Promise<{
  readonly found: string | null;
  readonly count: number;
  readonly met: ReadonlySet<EventName | number>;
}> {
  const met = new Set<EventName | number>();
  let count = 0;
  for await (const outcome of outcomes) {
    count += 1;
    if (outcome.violations.length > 0) return { found: tell(await shrink(outcome)), count, met };
    for (const { event } of outcome.order.events) met.add(event);
  }
  return { found: null, count, met };
}

/** The same violation with fewer events, and without a fault or a rare order of calls, if that is possible. */
async function shrink(outcome: Outcome): Promise<Outcome> {
  const { order, violations } = outcome;
  const shorter: Order[] = order.events.map((one) => ({
    ...order,
    events: order.events.filter((other) => other !== one),
  }));
  for (const one of order.faults)
    shorter.push({ ...order, faults: order.faults.filter((other) => other !== one) });
  if (order.kind !== 'rotates') shorter.push({ ...order, kind: 'rotates' });
  if (order.policy !== 'oldest') shorter.push({ ...order, policy: 'oldest' });
  for (const one of shorter) {
    const shown = await runOrder(one);
    if (shown.violations[0]?.invariant === violations[0]?.invariant) return shrink(shown);
  }
  return outcome;
}

/** Tells the steps of an order, and how to run it alone. */
export function tell({ order, violations, story }: Outcome): string {
  const [first] = violations;
  const title =
    first === undefined ? 'Nothing is violated.' : `${invariants[first.invariant]} Broken: ${first.detail}.`;
  return [
    title,
    `${order.manner}, a provider that ${order.kind}, ${order.state}`,
    ...story,
    `As a row: ${JSON.stringify(order)}`,
  ].join('\n  ');
}
