// Everything that can happen to the worker, in pairs, in each state, at each moment: before each call of the outside
// world begins and before it returns. Each write fails once. `npm test` takes a part of all orders, which a seed chooses;
// `npm run test:long` takes all. A failure prints the shortest order that shows it; LATCHKEY_SEED chooses another part.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { explore, type Finding } from '../support/explorer/explore.ts';
import { runOrder, type Order } from '../support/explorer/run.ts';
import type { EventName } from '../support/explorer/events.ts';
import type { Invariant } from '../support/explorer/invariants.ts';
import { shrink, tell } from '../support/explorer/shrink.ts';
import { stopTime } from '../support/explorer/still-time.ts';
import { isLong } from '../support/extent.ts';

const seed = Number(process.env['LATCHKEY_SEED'] ?? 1);

let restoreTime: () => void;
beforeAll(() => {
  restoreTime = stopTime();
});
afterAll(() => restoreTime());

/** An order from the beginning: every call passes in its order, and the person agrees at the end. */
const order = (
  state: Order['state'],
  events: Order['events'],
  more: Partial<Pick<Order, 'failingWrite' | 'policy' | 'ending'>> = {},
): Order => ({ state, events, policy: 'oldest', failingWrite: null, ending: 'agrees', ...more });

interface Known {
  readonly because: string;
  readonly invariant: Invariant;
  /** Covers the findings in which all of these events happen… */
  readonly events?: readonly EventName[];
  /** …and in which a write with this name fails. */
  readonly write?: RegExp;
  /** An order that shows it. */
  readonly shows: Order;
}

/** What the worker does not keep yet. An entry that is kept after all fails. */
const known: readonly Known[] = [
  {
    because:
      'the first popup that appears is taken for the sign-in window, or closed for one that was cancelled',
    invariant: 'foreign',
    events: ['another popup opens'],
    shows: order('signing in, no window yet', [
      { event: 'another popup opens', at: 0 },
      { event: 'sign out', at: 0 },
    ]),
  },
  {
    because: 'a provider that repeats its input has it on the board',
    invariant: 'secrets',
    events: ['provider repeats its input'],
    shows: order('signing in, window open', [
      { event: 'provider repeats its input', at: 0 },
      { event: 'Ada agrees', at: 0 },
    ]),
  },
  {
    because: 'a board that cannot be written at the start of a sign-in leaves a sign-in that nobody runs',
    invariant: 'next',
    write: /board/,
    shows: order('signed in as Ada, tokens stale', [{ event: 'sign in', at: 0 }], { failingWrite: 6 }),
  },
  {
    because: 'a board that cannot be written at the end of a sign-in or sign-out shows it for ever',
    invariant: 'settles',
    write: /board/,
    shows: order('signing in, window open', [{ event: 'sign out', at: 0 }], { failingWrite: 4 }),
  },
];

const isKnown = ({ order: { events }, outcome, violation }: Finding) =>
  known.some(
    (one) =>
      one.invariant === violation.invariant &&
      (one.events ?? []).every((event) => events.some((other) => other.event === event)) &&
      (one.write === undefined || one.write.test(outcome.failedWrite ?? '')),
  );

test('whatever happens in whatever order, what must hold holds', async () => {
  const { findings, runs, pairs } = await explore({ seed, share: isLong ? 1 : 0.01 });
  const stories: string[] = [];
  for (const finding of findings) {
    if (!isKnown(finding)) stories.push(tell(await shrink(finding)));
  }
  expect(stories.join('\n\n'), `seed ${seed}, ${runs} orders`).toBe('');
  expect(pairs.size).toBeGreaterThan(400);
  expect(runs).toBeGreaterThan(isLong ? 20_000 : 500);
});

test.each(known)('is known to fail: $because', async ({ shows, invariant }) => {
  const { violations } = await runOrder(shows);
  expect(violations.map((violation) => violation.invariant)).toContain(invariant);
});

test('the same order has the same outcome each time', async () => {
  const events = [
    { event: 'Grace agrees', at: 0 },
    { event: 'sign out', at: 7 },
  ] as const;
  const shuffled = order('changing from Ada to another account, window open', events, {
    policy: { seed: 3 },
  });
  const [one, other] = [await runOrder(shuffled), await runOrder(shuffled)];
  expect(one).toEqual(other);
});
