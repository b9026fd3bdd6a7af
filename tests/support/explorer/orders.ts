// The orders worth running: each pair of events, in each state, at each step, and each write that may fail once.

import type { Ending } from './aftermath.ts';
import type { Manner } from '../fake-browser.ts';
import { besides, circumstances, eventNames, singleNames, type EventName } from './events.ts';
import { randomNumbers, type Policy } from './gates.ts';
import type { Order, Outcome } from './run.ts';
import { faultKinds, type Calls, type Fault } from './stage.ts';
import type { StateName } from './states.ts';

/** One event in one state, and what it does when nothing else happens. */
export interface Single {
  readonly state: StateName;
  readonly event: EventName;
  readonly outcome: Pick<Outcome, 'possible' | 'calls'>;
}

/** Decisions that depend on the seed alone. */
export interface Chance {
  /** Whether something with this probability happens. */
  happens(probability: number): boolean;
  /** A whole number from 0 on. */
  below(limit: number): number;
  pick<T>(all: readonly T[]): T;
}

export function createChance(seed: number): Chance {
  const random = randomNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return { happens: (probability) => random() < probability, below, pick: (all) => all[below(all.length)]! };
}

/** Pairs that are run at many more steps than others, because most faults were there. */
const richPairs: readonly (readonly [StateName, EventName, EventName])[] = [
  ['signing in, window open', 'Ada agrees', 'cancel'],
  ['changing from Ada to another account, window open', 'Grace agrees', 'cancel'],
  ['changing from Ada to another account, window open', 'Grace agrees', 'sign out'],
  ['signed in as Ada, tokens stale', 'feature requests', 'update is offered'],
  ['changing from Ada to another account, window open, tokens stale', 'feature requests', 'Grace agrees'],
  ['signing in again after a cancel, no window yet', 'window appears', 'window appears'],
  ['signed out', 'sign in', 'cancel'],
  ['signed out since the session of Ada expired', 'use another account', 'worker dies'],
  ['signed in as Ada, tokens stale', 'open', 'sign out'],
  ['signed in as Ada with the other provider, tokens stale', 'open', 'sign out'],
  ['signed in as Ada, tokens stale, metadata too old', 'sign out everywhere', 'sign in'],
  ['asking Ada for more scope, window open', 'worker dies', 'use another account'],
  ['signed in as Ada, tokens stale', 'provider issues an ID token out of time', 'feature requests'],
  ['signed in as Ada, tokens stale', 'provider renews with the tokens of another person', 'open'],
  ['signed in as Ada, tokens stale, metadata too old', 'metadata and keys cannot be had', 'feature requests'],
  ['signed in as Ada, her grant ended, Ada at the provider', 'hidden pages fail', 'open'],
  ['signed in as Ada, her grant ended, Ada at the provider', 'hidden pages hang', 'feature requests'],
  ['signed in as Ada with the other provider, tokens stale', 'no refresh tokens are issued', 'open'],
  ['showing a code', 'Ada enters the code', 'cancel'],
  ['showing a code', 'Ada enters the code', 'worker dies'],
  ['changing from Ada to another account, showing a code', 'Grace enters the code', 'sign out'],
  ['signed in as Ada with plain OAuth, tokens stale', 'feature requests', 'sign out'],
  ['signed out, to be signed in when the popup opens', 'open', 'sign in'],
  ['signed out, to be signed in when the popup opens', 'open', 'sign out'],
  ['signed out, to be signed in when the browser starts', 'browser restarts', 'open'],
];

const policies: readonly Policy[] = ['oldest', 'newest'];
export const manners: readonly Manner[] = ['chromium', 'firefox'];
const endings: readonly Ending[] = ['agrees', 'closes'];

/** A share of all events in the states in which they are possible, except circumstances, and all rich ones. */
export function* singleOrders(
  possible: ReadonlyMap<StateName, ReadonlySet<EventName>>,
  share: number,
  { happens, pick }: Chance,
): Generator<Order> {
  for (const [state, found] of possible) {
    for (const event of found) {
      if (circumstances.has(event) || !singleNames.includes(event)) continue;
      const isRich = richPairs.some(([where, first]) => where === state && first === event);
      if (isRich || happens(share)) yield toSingle(state, event, null, pick);
    }
  }
}

/** The circumstances in each state. Nothing follows of them, so each is worth an order only together with an event. */
export function circumstantial(possible: ReadonlyMap<StateName, ReadonlySet<EventName>>): Single[] {
  return [...possible].flatMap(([state, found]) =>
    [...found]
      .filter((event) => circumstances.has(event))
      .map((event) => ({ state, event, outcome: { possible: [found], calls: noCalls } })),
  );
}

const noCalls: Calls = {
  fails: [],
  'is done and fails': [],
  'is rejected': [],
  hangs: [],
  'loses its answer': [],
};

/** Each fault befalls each call of each single event once. */
export function* faultyOrders(
  singles: readonly Single[],
  share: number,
  { happens, pick }: Chance,
): Generator<Order> {
  for (const { state, event, outcome } of singles) {
    for (const what of faultKinds) {
      for (const index of outcome.calls[what].keys()) {
        if (happens(share)) yield toSingle(state, event, { what, of: index + 1 }, pick);
      }
    }
  }
}

function toSingle(state: StateName, event: EventName, fault: Fault | null, pick: Chance['pick']): Order {
  const events = [{ event, at: 0 }];
  return { manner: pick(manners), state, events, policy: 'oldest', fault, ending: pick(endings) };
}

/** A share of all second events at all steps of the first. */
export function* pairOrders(
  singles: readonly Single[],
  { share, richShare }: { readonly share: number; readonly richShare: number },
  chance: Chance,
): Generator<Order> {
  for (const single of singles) {
    for (const second of eventNames) {
      const isRich = richPairs.some(
        ([state, first, other]) => state === single.state && first === single.event && other === second,
      );
      for (const [at, found] of single.outcome.possible.entries()) {
        if (!found.has(second)) continue;
        // Of a pair with one step that step is run.
        const isSure = isRich && single.outcome.possible.length === 1;
        if (isSure || chance.happens(isRich ? richShare : share)) yield toPair(single, second, at, chance);
      }
    }
  }
}

/** The events and states in which a second worker beside the first one does no harm today. */
const peaceful: readonly EventName[] = [
  'feature requests',
  'feature requests another API',
  'API refuses the tokens',
  'open',
  'show window',
  'hosts are allowed',
];
const peacefulStates: readonly StateName[] = [
  'signed out',
  'signed out with a revocation pending',
  'signed in as Ada',
  'signed in as Ada until the browser closes',
];

/** A share of all steps at which another worker starts beside the first one. */
export function* besideOrders(singles: readonly Single[], share: number, chance: Chance): Generator<Order> {
  for (const single of singles) {
    if (!peaceful.includes(single.event) || !peacefulStates.includes(single.state)) continue;
    for (const [at, found] of single.outcome.possible.entries()) {
      if (found.has(besides) && chance.happens(share)) yield toPair(single, besides, at, chance);
    }
  }
}

/** Two events, the second at a step of the first at which it is possible; null if there is none. */
export function randomPair(singles: readonly Single[], second: EventName, chance: Chance): Order | null {
  const found = singles.filter(({ outcome }) => outcome.possible.some((events) => events.has(second)));
  if (found.length === 0) return null;
  const single = chance.pick(found);
  const steps = [...single.outcome.possible.keys()];
  return toPair(
    single,
    second,
    chance.pick(steps.filter((at) => single.outcome.possible[at]?.has(second))),
    chance,
  );
}

function toPair({ state, event }: Single, second: EventName, at: number, { pick }: Chance): Order {
  const events = [
    { event, at: 0 },
    { event: second, at },
  ];
  return {
    manner: pick(manners),
    state,
    events,
    policy: pick(policies),
    fault: null,
    ending: pick(endings),
  };
}

/** The most steps between two events of a walk, and about as many writes as there are in one. */
const maxPause = 20;
const maxWrites = 15;
const faultsOfWalks = ['fails', 'loses its answer'] as const;

/** Three or four events whose calls pass in any order, and now and then a fault. */
export function randomWalk(singles: readonly Single[], { happens, below, pick }: Chance): Order {
  const { state, event } = pick(singles);
  const events = [{ event, at: 0 }];
  let at = 0;
  for (let more = 2 + below(2); more > 0; more -= 1) {
    at += below(maxPause);
    events.push({ event: pick(eventNames), at });
  }
  const fault = happens(0.3) ? { what: pick(faultsOfWalks), of: 1 + below(maxWrites) } : null;
  return {
    manner: pick(manners),
    state,
    events,
    policy: { seed: below(2 ** 31) },
    fault,
    ending: pick(endings),
  };
}
