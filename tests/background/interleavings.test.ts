// Everything that can happen to the worker, in each state, at each moment: before each call of the outside world begins and
// before it returns, in the manner of each browser. The record's rules are those of tests/background/record/walk.test.ts. What is
// looked for here is wrong wiring: of the store, the record, the browser's calls, the windows and the requests.
//
// The orders aim: each flow that matters runs once undisturbed, and then once for each of its steps and each thing that may come in
// between or go wrong there. `npm test` does so once for each call, `npm run test:long` at each step of each flow. Some more orders
// are random, and LATCHKEY_SEED=random chooses others. A failure prints a short order that shows it, as a row of the table here.

import { beforeEach, expect, test } from 'vitest';
import { aim, draw } from '../support/explorer/orders.ts';
import { runOrder, search, tell, type Order } from '../support/explorer/search.ts';
import type { ProviderKind } from '../support/explorer/provider.ts';
import { stopTime } from '../support/explorer/still-time.ts';
import { isLong } from '../support/extent.ts';
import { readSeed } from '../support/seed.ts';

const orders = isLong ? 100 : 15;

/** Far more than it takes on a machine that does nothing else. */
const timeoutMs = isLong ? 60 * 60_000 : 600_000;

beforeEach(stopTime);

test(
  'whatever comes in between or goes wrong at a step, what must hold holds',
  { timeout: timeoutMs },
  async () => {
    const { found, count } = await search(aim(isLong ? 'each step' : 'each call'));
    expect(found ?? '').toBe('');
    expect(count).toBeGreaterThan(100);
  },
);

test('whatever happens in whatever order, what must hold holds', { timeout: timeoutMs }, async () => {
  const seed = readSeed();
  const { found, met } = await search(draw(seed, orders));
  expect(found ?? '', `seed ${seed}`).toBe('');
  expect(met.size).toBeGreaterThan(15);
});

/** Faults of the past that no scene shows, each with the order that showed it. */
const once: readonly (Pick<Order, 'state' | 'events'> & {
  readonly because: string;
  readonly kind?: ProviderKind;
  readonly faults?: Order['faults'];
})[] = [
  {
    because: 'a cancel of what a dead worker left behind cancels the sign-in that has just begun',
    state: 'signing in with a window that its worker did not outlive',
    events: [
      { event: 'cancel', at: 0 },
      { event: 'sign in', at: 0 },
    ],
  },
  {
    because: 'a sign-in that first ends the one of a dead worker begins after a sign-out that came later',
    state: 'signing in with a window that its worker did not outlive',
    events: [
      { event: 'sign in', at: 0 },
      { event: 'sign out', at: 0 },
    ],
  },
  {
    because: 'a sign-out just before an automatic sign-in begins is overtaken by it',
    state: 'signed out, to be signed in when the popup opens',
    events: [
      { event: 'open', at: 0 },
      { event: 'sign out', at: 'storage.session.get auto-sign-in begins' },
    ],
  },
  {
    because: 'a sign-out while the session of an automatic sign-in is stored is overtaken by it',
    state: 'signed out, to be signed in when the popup opens',
    events: [
      { event: 'open', at: 0 },
      // The first use of the database after this one stores the session.
      { event: 'show window', at: 'network /token returns' },
      { event: 'sign out', at: 'database begins' },
    ],
  },
  {
    because: 'a revocation that waits revokes the grant of a later session of the same account',
    state: 'signed out with a revocation pending',
    events: [
      { event: 'sign in', at: 0 },
      { event: 'Ada is signed in without a page', at: 'identity.launchWebAuthFlow begins' },
    ],
  },
  {
    because: 'a policy that excludes a provider just before its session is stored leaves the session',
    state: 'signing in, window open',
    events: [
      { event: 'Ada agrees', at: 0 },
      { event: 'policy excludes the provider', at: 'network /token returns' },
    ],
  },
  {
    because: 'a cancel just before the window opens leaves the window',
    state: 'signed in as Ada',
    events: [
      { event: 'request scope', at: 0 },
      { event: 'cancel', at: 'storage.session.get auth-window returns' },
    ],
  },
  {
    because:
      'a sign-out everywhere from a provider that a policy has just excluded shows for ever that it ends there',
    state: 'asking Ada for more scope, window open',
    events: [
      { event: 'policy excludes the provider', at: 0 },
      { event: 'sign out everywhere', at: 'storage.local.set board begins' },
    ],
  },
  {
    because:
      'a session whose policy excludes it for a moment while the worker starts stays, and no page shows it',
    state: 'signed in as Ada, tokens stale',
    events: [
      { event: 'policy excludes the provider', at: 0 },
      { event: 'policy signs in when the popup opens', at: 6 },
    ],
  },
  {
    because: 'a revocation whose note hangs is sent after a sign-in, and ends the grant of the new session',
    state: 'signed out by a policy with a revocation pending, to be signed in when the popup opens',
    events: [{ event: 'open', at: 0 }],
    faults: [{ what: 'is done and hangs', of: 4 }],
  },
  {
    because: 'a cancel leaves the page open on which a sign-out ends the session at the provider',
    state: 'signed out everywhere, window open',
    events: [{ event: 'cancel', at: 0 }],
  },
];

/** This one takes seconds. */
const longRows: typeof once = [
  {
    because: 'of many tokens that wait for the end of the session, the oldest are dropped',
    state: 'signed in as Ada, after forty step-ups',
    events: [{ event: 'sign out', at: 0 }],
    kind: 'keeps',
  },
];

const rows = [...once, ...(isLong ? longRows : [])].flatMap((row) =>
  (['chromium', 'firefox'] as const).map((manner) => ({ ...row, manner })),
);

test.each(rows)(
  'keeps what was broken once, in $manner: $because',
  async ({ kind = 'rotates', faults = [], manner, state, events }) => {
    const more = { policy: 'oldest', faults, kind, ending: 'agrees' } as const;
    const outcome = await runOrder({ manner, state, events, ...more });
    expect(outcome.violations.length === 0 ? '' : tell(outcome)).toBe('');
  },
);
