// One order of events from its beginning to its end, and what it violates.

import { vi } from 'vitest';
import { settledSession } from '../../../src/session/session.ts';
import { events, type EventName } from './events.ts';
import { quiet, type Policy } from './gates.ts';
import { checkAtRest, checkWritten, nameOf, shownPerson, type Violation } from './invariants.ts';
import type { Person } from './ledger.ts';
import type { Stage } from './stage.ts';
import { states, type StateName } from './states.ts';
import { strayRejections, timeLimits } from './still-time.ts';

/** An event, and the number of gates that have opened before it since the first event. */
export interface Timed {
  readonly event: EventName;
  readonly at: number;
}

export interface Order {
  readonly state: StateName;
  readonly events: readonly Timed[];
  readonly policy: Policy;
  /** The write that fails, counted from 1; null if none does. */
  readonly failingWrite: number | null;
  /** What the person does with a window that is open at the end. */
  readonly ending: 'agrees' | 'closes';
}

export interface Outcome {
  /** `impossible` if an event could not happen at its time. */
  readonly status: 'ran' | 'impossible';
  /** How many gates opened until nothing moved any more. */
  readonly steps: number;
  readonly violations: readonly Violation[];
  /** What happened, in order, for people. */
  readonly story: readonly string[];
  /** The writes until nothing moved any more, by name. */
  readonly writes: readonly string[];
  /** The name of the write that failed; null if none did. */
  readonly failedWrite: string | null;
}

/** Runs one order. The same order has the same outcome each time. Time must stand still: `stopTime`. */
export async function runOrder(order: Order): Promise<Outcome> {
  timeLimits.length = 0;
  strayRejections.length = 0;
  vi.clearAllTimers();
  const violations: Violation[] = [];
  const story: string[] = [];
  let failedWrite: string | null = null;
  const stage = await states[order.state]({
    async onWritten(written) {
      const state = await describeState(written);
      if (story.at(-1) !== state) story.push(state);
      violations.push(...(await checkWritten(written)));
    },
    onFailedWrite(label) {
      failedWrite = label;
      story.push(`the write "${label}" fails`);
    },
  });
  story.length = 0;
  stage.writes.length = 0;
  stage.failingWrite = order.failingWrite;
  let steps = 0;
  const rest = [...order.events];
  const end = (status: Outcome['status'], writes: readonly string[]): Outcome => ({
    status,
    steps,
    violations: unique(violations),
    story: [...story],
    writes,
    failedWrite,
  });

  for (;;) {
    await quiet();
    if (stage.finishReload()) continue;
    const [next] = rest;
    if (next !== undefined && (next.at <= steps || stage.gates.isIdle())) {
      rest.shift();
      const last = stage.gates.passed.at(-1);
      story.push(`at step ${steps}${steps === 0 ? '' : `, after "${last}"`}: ${next.event}`);
      if (!(await events[next.event](stage))) return end('impossible', []);
      continue;
    }
    stage.nowMs += 1;
    if (!stage.gates.openNext(order.policy)) break;
    steps += 1;
  }
  const writes = [...stage.writes];
  stage.failingWrite = null;
  story.push(`at step ${steps} nothing moves any more; then what is natural happens`);
  await finish(stage, order);
  violations.push(...(await checkAtRest(stage)));
  if (violations.length === 0) violations.push(...(await signInAndOut(stage)));
  violations.push(...strayRejections.map(toStray));
  return end('ran', writes);
}

async function describeState(stage: Stage): Promise<string> {
  const { session, queued } = await stage.held();
  const board = stage.board()?.session;
  const problem = board === undefined ? null : settledSession(board).problem;
  const shown = `${board?.status ?? 'nothing'}, ${nameOf(shownPerson(stage))}, ${problem?.code ?? 'no problem'}`;
  return `board: ${shown}; vault: ${nameOf(session?.profile ?? null)}; queued: ${queued.length}`;
}

/** The person and the network do what is natural, and a page is opened. */
async function finish(stage: Stage, { ending }: Order): Promise<void> {
  stage.isOnline = true;
  stage.provider.mood = 'answers';
  stage.send({ type: 'open' });
  await stage.drain();
  for (let turn = 0; turn < 5; turn += 1) {
    const open = stage.windows.findLast(({ status }) => status !== 'ended');
    if (open === undefined) break;
    if (open.status === 'launched') stage.withWindow('launched', (own) => stage.show(own));
    else stage.withWindow('shown', (own) => end(stage, own, ending));
    await stage.drain();
  }
  stage.send({ type: 'open' });
  await stage.drain();
}

function end(stage: Stage, own: Stage['windows'][number], ending: Order['ending']): void {
  if (ending === 'closes') stage.close(own);
  else stage.approve(own, wantsAnother(own.window.url) ? 'grace' : 'ada');
}

function wantsAnother(url: string): boolean {
  return new URL(url).searchParams.get('prompt') === 'select_account';
}

/** Signs Ada in and out again, in the worker that is there. */
async function signInAndOut(stage: Stage): Promise<readonly Violation[]> {
  const before = stage.windows.length;
  stage.send({ type: 'sign-in', providerId: 'scripted' });
  await stage.drain();
  if (stage.windows.length === before)
    return [{ invariant: 'next', detail: 'The next sign-in has no window.' }];
  stage.withWindow('launched', (own) => stage.show(own));
  await stage.drain();
  if (!stage.withWindow('shown', (own) => stage.approve(own, 'ada'))) {
    return [{ invariant: 'next', detail: 'The window of the next sign-in was closed.' }];
  }
  await stage.drain();
  const failed = await expectPerson(stage, 'ada');
  if (failed.length > 0) return failed;
  stage.send({ type: 'sign-out', everywhere: false });
  await stage.drain();
  return [...(await expectPerson(stage, null)), ...(await checkAtRest(stage))];
}

async function expectPerson(stage: Stage, person: Person | null): Promise<Violation[]> {
  const { session } = await stage.held();
  const status = stage.board()?.session.status;
  const isAsExpected =
    (session?.profile.subject ?? null) === person &&
    status === (person === null ? 'signed-out' : 'signed-in');
  if (isAsExpected) return [];
  const detail = `after the next sign-${person === null ? 'out' : 'in'}: board ${status}, vault ${session?.profile.subject}`;
  return [{ invariant: 'next', detail }];
}

function toStray(reason: unknown): Violation {
  return { invariant: 'settles', detail: `a rejection that nobody handles: ${String(reason)}` };
}

function unique(violations: readonly Violation[]): Violation[] {
  const byText = new Map(violations.map((one) => [`${one.invariant} ${one.detail}`, one]));
  return [...byText.values()];
}
