// One order of events from its beginning to its end, and what it violates.

import { settledSession } from '../../../src/session/session.ts';
import { beginAgain, finish, signInAndOut, type Ending } from './aftermath.ts';
import { events, possibleEvents, type EventName } from './events.ts';
import type { Manner } from '../fake-browser.ts';
import type { Policy } from './gates.ts';
import { checkAtRest, checkIdle, checkWritten, nameOf, shownPerson, type Violation } from './invariants.ts';
import type { Held } from './held.ts';
import type { Calls, Fault, Stage } from './stage.ts';
import { states, type StateName } from './states.ts';
import { forgetTime, strayRejections } from './still-time.ts';

/**
 * When an event happens: as soon as this number of gates has opened since the first event; when nothing moves;
 * or, since the event before it, when a call of this name is about to begin, has begun, or has returned. A write of the
 * database has a name too: `during` it is when the data is written and the worker has not learned of it.
 */
export type Moment =
  | number
  | 'rest'
  | { readonly before: string }
  | { readonly during: string }
  | { readonly after: string };

interface Timed {
  readonly event: EventName;
  readonly at: Moment;
}

export interface Order {
  readonly manner: Manner;
  readonly state: StateName;
  readonly events: readonly Timed[];
  readonly policy: Policy;
  readonly fault: Fault | null;
  /** How the person ends a window that is open at the end. */
  readonly ending: Ending;
}

export interface Outcome {
  /** `impossible` if an event could not happen at its time; `missed` if its time never came. */
  readonly status: 'ran' | 'impossible' | 'missed';
  /** How many gates opened until nothing moved any more. */
  readonly steps: number;
  readonly violations: readonly Violation[];
  /** The events that could have happened after each number of steps. */
  readonly possible: readonly ReadonlySet<EventName>[];
  /** The steps that happened, in order, for people. */
  readonly story: readonly string[];
  /** The calls that a fault could befall until nothing moved, by name. */
  readonly calls: Calls;
  /** The names of the calls that the fault has befallen. */
  readonly befallen: readonly string[];
}

/** Far more than any order takes. */
const maxSteps = 2_000;

/** The events that are possible at first in a state. Time must stand still: `stopTime`. */
export async function possibleIn(state: StateName): Promise<ReadonlySet<EventName>> {
  forgetTime();
  return possibleEvents(await states[state]({ manner: 'chromium' }));
}

/** Whether the time of an event has come. `since` is how many calls had passed at the event before it. */
function isDue(at: Moment, { gates }: Stage, steps: number, since: number): boolean {
  if (typeof at === 'number') return at <= steps || gates.isIdle();
  if (at === 'rest') return gates.isIdle();
  if ('before' in at) return gates.isAbout(at.before);
  const name = 'during' in at ? at.during : at.after;
  const ends = 'during' in at ? ['begins', 'written'] : ['returns'];
  return gates.passed.slice(since).some((passed) => {
    const [label, end] = splitAtLast(passed, ' ');
    // A transaction may write several records.
    return ends.includes(end) && label.split(', ').includes(name);
  });
}

function splitAtLast(text: string, mark: string): [before: string, after: string] {
  const at = text.lastIndexOf(mark);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

/** Runs one order. The same order has the same outcome each time. Time must stand still: `stopTime`. */
export async function runOrder(order: Order): Promise<Outcome> {
  forgetTime();
  const violations: Violation[] = [];
  const story: string[] = [];
  const befallen: string[] = [];
  const stage = await states[order.state]({
    manner: order.manner,
    onWritten(written, held) {
      const state = describeState(written, held);
      if (story.at(-1) !== state) story.push(state);
      violations.push(...checkWritten(written, held));
    },
    onFault(label) {
      befallen.push(label);
      story.push(`"${label}" ${order.fault?.what}`);
    },
  });
  story.length = 0;
  stage.expectFault(order.fault);
  let steps = 0;
  let since = stage.gates.passed.length;
  const possible: ReadonlySet<EventName>[] = [];
  const rest = [...order.events];
  const end = (status: Outcome['status'], calls = stage.callsSoFar()): Outcome => ({
    status,
    steps,
    violations: unique(violations),
    possible,
    story: [...story],
    calls,
    befallen,
  });

  for (;;) {
    await stage.rest();
    const [next] = rest;
    if (next !== undefined && isDue(next.at, stage, steps, since)) {
      rest.shift();
      since = stage.gates.passed.length;
      const last = stage.gates.passed.at(-1);
      story.push(`at step ${steps}${steps === 0 ? '' : `, after "${last}"`}: ${next.event}`);
      const happens = events[next.event](stage);
      if (happens === null) return end('impossible');
      await happens();
      continue;
    }
    possible[steps] = possibleEvents(stage);
    if (steps === maxSteps) break;
    if (stage.gates.openNext(order.policy)) steps += 1;
    else if (!(await stage.letMomentPass()) && !stage.endHangs()) break;
  }
  if (steps === maxSteps) {
    violations.push({ invariant: 'settles', detail: `the worker still moves after ${steps} steps` });
    return end('ran');
  }
  if (rest.length > 0) return end('missed');
  const calls = stage.callsSoFar();
  stage.expectFault(null);
  await stage.endOlder();
  if (order.fault?.what === 'hangs') {
    // The deadlines of the worker pass.
    stage.letMinutePass();
    await stage.drain();
  }
  story.push(`at step ${steps} nothing moves any more; then what is natural happens`);
  violations.push(...checkIdle(stage, await stage.held()));
  violations.push(...(await finish(stage, order.ending)));
  violations.push(...(await checkAtRest(stage)));
  if (stage.isExcluded()) {
    stage.changePolicy({});
    await stage.drain();
  }
  // Most of the time goes into a whole sign-in, so it ends only the orders of which there are few.
  const isShort = order.events.length === 1 && order.ending === 'agrees';
  const goOn = order.fault !== null || isShort ? signInAndOut : beginAgain;
  if (violations.length === 0) violations.push(...(await goOn(stage)));
  violations.push(...strayRejections.map(toStray));
  return end('ran', calls);
}

function describeState(stage: Stage, { session, queued }: Held): string {
  const board = stage.board()?.session;
  const problem = board === undefined ? null : settledSession(board).problem;
  const shown = `${board?.status ?? 'nothing'}, ${nameOf(shownPerson(stage))}, ${problem?.code ?? 'no problem'}`;
  return `board: ${shown}; vault: ${nameOf(session?.profile ?? null)}; queued: ${queued.length}`;
}

function toStray(reason: unknown): Violation {
  return { invariant: 'settles', detail: `a rejection that nobody handles: ${String(reason)}` };
}

function unique(violations: readonly Violation[]): Violation[] {
  const byText = new Map(violations.map((one) => [`${one.invariant} ${one.detail}`, one]));
  return [...byText.values()];
}
