// Everything that can happen to the worker, in pairs, in each state, at each moment: before each call of the outside
// world begins and before it returns, in the manner of each browser. Calls fail, hang, are in doubt or lose their answer.
// `npm test` takes a part of all orders, which a seed chooses; `npm run test:long` takes a far larger one. A failure prints
// the shortest order that shows it, and how to repeat it. LATCHKEY_SEED chooses another part.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explore } from '../support/explorer/explore.ts';
import { readOrder, readSeed } from '../support/explorer/given.ts';
import { besides } from '../support/explorer/events.ts';
import { manners } from '../support/explorer/orders.ts';
import { runOrder, type Order } from '../support/explorer/run.ts';
import { shrink, tell } from '../support/explorer/shrink.ts';
import type { Fault } from '../support/explorer/stage.ts';
import { states } from '../support/explorer/states.ts';
import { stopTime } from '../support/explorer/still-time.ts';
import { isLong } from '../support/extent.ts';

const seed = readSeed();
const extent = isLong
  ? {
      seed,
      singleShare: 1,
      share: 0.012,
      pairShare: 1,
      richShare: 1,
      faultShare: 0.05,
      besideShare: 1,
      walks: 1_000,
    }
  : {
      seed,
      singleShare: 0.15,
      share: 0.0005,
      pairShare: 0.1,
      richShare: 0.15,
      faultShare: 0.015,
      besideShare: 0.05,
      walks: 10,
    };

/** Far more than it takes on a machine that does nothing else. */
const timeoutMs = isLong ? 60 * 60_000 : 600_000;

let restoreTime: () => void;
beforeAll(() => {
  restoreTime = stopTime();
});
afterAll(() => restoreTime());

/** An order from the beginning, in Chromium: every call passes in its order, and the person agrees at the end. */
const order = (
  state: Order['state'],
  events: Order['events'],
  more: Partial<Pick<Order, 'fault' | 'policy' | 'ending'>> = {},
): Order => ({
  manner: 'chromium',
  state,
  events,
  policy: 'oldest',
  fault: null,
  ending: 'agrees',
  ...more,
});

/** This befalls the first call with this name. */
const lasting = (what: Fault['what'], of: string): Pick<Order, 'fault'> => ({ fault: { what, of } });

/** The first write with this name fails, and so does its repetition. */
const failing = (of: string): Pick<Order, 'fault'> => ({ fault: { what: 'fails', of, times: 2 } });

const board = 'storage.local.set board';

const repeated = (names: readonly Order['events'][number]['event'][], times: number): Order['events'] =>
  Array.from({ length: times }, () => names.map((event) => ({ event, at: 'rest' as const }))).flat();

/** Faults of the past, each with the order that showed it. */
const once: readonly {
  readonly because: string;
  readonly shows: Order;
}[] = [
  {
    because: 'the first popup that appears is taken for the sign-in window',
    shows: order('signing in, no window yet', [
      { event: 'another popup opens', at: 0 },
      { event: 'show window', at: 0 },
    ]),
  },
  {
    because: 'a flow that was cancelled before its window opened is kept, and closes the next popup',
    shows: order('signed out', [
      { event: 'sign in', at: 0 },
      { event: 'cancel', at: { during: 'identity.launchWebAuthFlow' } },
    ]),
  },
  {
    because: 'a cancel just before the flow is launched leaves a flow that closes the next popup',
    shows: order('signed out', [
      { event: 'sign in', at: 0 },
      { event: 'cancel', at: { during: 'storage.local.set board' } },
    ]),
  },
  {
    because: 'the late window of a cancelled sign-in is taken for that of the next one, and stays open',
    shows: order('signing in again after a cancel, no window yet', [
      { event: 'window appears', at: 0 },
      { event: 'window appears', at: { during: 'identity.launchWebAuthFlow' } },
    ]),
  },
  {
    because: 'a provider that repeats its input has it on the board',
    shows: order('signing in, window open', [
      { event: 'provider repeats its input', at: 0 },
      { event: 'Ada agrees', at: 0 },
    ]),
  },
  {
    because: 'a cancel during the write of the vault is shown, and the sign-in is stored in spite of it',
    shows: order('changing from Ada to another account, window open', [
      { event: 'Grace agrees', at: 0 },
      { event: 'cancel', at: { during: 'vault: put record' } },
    ]),
  },
  {
    because: 'a cancel just before the write of the vault is shown, and the sign-in is stored in spite of it',
    shows: order('changing from Ada to another account, window open', [
      { event: 'Grace agrees', at: 0 },
      { event: 'cancel', at: { after: 'network /token' } },
    ]),
  },
  {
    because: 'a cancel of what a dead worker left behind cancels the sign-in that has just begun',
    shows: order('signing in with a window that its worker did not outlive', [
      { event: 'cancel', at: 0 },
      { event: 'sign in', at: 0 },
    ]),
  },
  {
    because: 'a session that a policy ends stays in the vault if the first write fails',
    shows: order(
      'changing from Ada to another account, window open',
      [{ event: 'policy excludes the provider', at: 0 }],
      // Once, because that is tried twice.
      { fault: { what: 'fails', of: 'vault: put record' } },
    ),
  },
  {
    because: 'a sign-in that first ends the one of a dead worker begins after a sign-out that came later',
    shows: order('signing in with a window that its worker did not outlive', [
      { event: 'sign in', at: 0 },
      { event: 'sign out', at: 0 },
    ]),
  },
  {
    because: 'a board that cannot be written at the start of a sign-in leaves a sign-in that nobody runs',
    shows: order('signed out', [{ event: 'sign in', at: 0 }], failing(board)),
  },
  {
    because: 'a board that cannot be written at the end of a sign-in or sign-out is not written again',
    shows: order(
      'changing from Ada to another account, window open',
      [{ event: 'sign out', at: 0 }],
      failing(board),
    ),
  },
  {
    because: 'a board that cannot be written at a sign-out shows the person on',
    shows: order('signed in as Ada', [{ event: 'sign out', at: 0 }], failing(board)),
  },
  {
    because: 'a window whose id cannot be written leaves a rejection that nobody handles',
    shows: order(
      'signing in, no window yet',
      [{ event: 'window appears', at: 0 }],
      failing('storage.session.set auth-window'),
    ),
  },
  {
    because: 'a vault that cannot be emptied at a sign-out is not emptied later',
    shows: order('signed in as Ada', [{ event: 'sign out', at: 0 }], failing('vault: put record')),
  },
  {
    because: 'a vault that cannot be emptied at a sign-out everywhere leaves a sign-out that nobody runs',
    shows: order('signed in as Ada', [{ event: 'sign out everywhere', at: 0 }], failing('vault: put record')),
  },
  {
    because: 'a queue that cannot be written loses the token of another person',
    shows: order(
      'signed in as Ada, her grant ended, Grace at the provider',
      [{ event: 'feature requests', at: 0 }],
      failing('vault: put record'),
    ),
  },
  {
    because: 'a session that cannot be written revokes the grant of the session that stays',
    shows: order('changing from Ada to another account, window open', [{ event: 'Ada agrees', at: 0 }], {
      ...failing('vault: put record'),
    }),
  },
  {
    because: 'renewed tokens that cannot be written are lost, and the spent one is sent again',
    shows: order('signed in as Ada, tokens stale', [{ event: 'open', at: 0 }], {
      // The first one notes that the token is sent.
      fault: { what: 'fails', of: 'vault: put record', skips: 1 },
    }),
  },
  {
    because: 'a call that keeps the worker running, and is rejected, leaves an unhandled rejection',
    shows: order('signed in as Ada', [{ event: 'feature requests', at: 0 }], {
      fault: { what: 'is rejected', of: 'runtime.getPlatformInfo' },
    }),
  },
  {
    because: 'a sign-out just before an automatic sign-in begins is overtaken by it',
    shows: order('signed out, to be signed in when the popup opens', [
      { event: 'open', at: 0 },
      { event: 'sign out', at: { during: 'storage.session.get auto-sign-in' } },
    ]),
  },
  {
    because: 'an update in the middle of a renewal loses the tokens, and the spent one is sent again',
    shows: order('signed in as Ada, tokens stale', [
      { event: 'feature requests', at: 0 },
      { event: 'update is offered', at: { during: 'network /token' } },
    ]),
  },
  {
    because: 'a revocation that waits revokes the grant of a later session of the same account',
    shows: order('signed out with a revocation pending', [
      { event: 'sign in', at: 0 },
      { event: 'Ada is signed in without a page', at: { during: 'identity.launchWebAuthFlow' } },
    ]),
  },
  {
    because: 'an update loses the session that lasts until the browser closes',
    shows: order('signed in as Ada until the browser closes', [{ event: 'update is offered', at: 0 }]),
  },
  {
    because: 'a popup that resumes a sign-in runs a revocation beside it, which ends the new grant',
    shows: order('signed out with a revocation pending', [
      { event: 'sign in', at: 0 },
      { event: 'worker dies', at: { during: 'identity.launchWebAuthFlow' } },
    ]),
  },
  {
    because: 'a policy that excludes a provider while its session is being stored leaves the session',
    shows: order('signing in, window open', [
      { event: 'Ada agrees', at: 0 },
      { event: 'policy excludes the provider', at: { during: 'vault: put record' } },
    ]),
  },
  {
    because: 'a policy that excludes a provider just before its session is stored leaves the session',
    shows: order('signing in, window open', [
      { event: 'Ada agrees', at: 0 },
      { event: 'policy excludes the provider', at: { after: 'network /token' } },
    ]),
  },
  {
    because:
      'a sign-out everywhere from a provider that a policy has just excluded shows for ever that it ends there',
    shows: order('asking Ada for more scope, window open', [
      { event: 'policy excludes the provider', at: 0 },
      { event: 'sign out everywhere', at: { during: 'storage.local.set board' } },
    ]),
  },
  {
    because: 'a sign-in that is resumed and brings the account that was to be changed drops its token',
    shows: order(
      'signed out since the session of Ada expired',
      [
        { event: 'use another account', at: 0 },
        { event: 'worker dies', at: { during: 'identity.launchWebAuthFlow' } },
      ],
      { ending: 'closes' },
    ),
  },
  {
    because: 'the window of a dead worker stays open after the cancel of the sign-in that has begun since',
    shows: order('signing in with a window that its worker did not outlive', [
      { event: 'sign in', at: 0 },
      { event: 'cancel', at: 0 },
    ]),
  },
  {
    because: 'the window of a dead worker stays open after a sign-out',
    shows: order('signing in with a window that its worker did not outlive', [{ event: 'sign out', at: 0 }]),
  },
  {
    because: 'the end of a session that cannot be written costs another hidden page with each request',
    shows: order(
      'signed in as Ada, no refresh token, nobody at the provider',
      [{ event: 'feature requests', at: 0 }],
      // Once, because that is tried twice.
      { fault: { what: 'fails', of: 'vault: delete record' } },
    ),
  },
  {
    because: 'looks at the popup without a network use up the tries of a revocation',
    shows: order('signed out with a revocation pending', [
      { event: 'network fails', at: 0 },
      ...repeated(['open'], 5),
    ]),
  },
  {
    because: 'two APIs that refuse every token in turns cost a renewal with each request',
    shows: order('signed in as Ada', [
      { event: 'APIs refuse every token', at: 0 },
      ...repeated(['feature requests', 'feature requests another API'], 3),
    ]),
  },
  {
    because: 'UserInfo that asks to be left alone stops the redemption of the next code',
    shows: order('signing in, window open', [
      { event: 'UserInfo asks to be left alone', at: 0 },
      { event: 'Ada agrees', at: 0 },
      { event: 'use another account', at: 'rest' },
    ]),
  },
  {
    because: 'renewed tokens that cannot be written twice are lost, and the spent one is sent again',
    shows: order('signed in as Ada, tokens stale', [{ event: 'open', at: 0 }], {
      fault: { what: 'fails', of: 'vault: put record', skips: 1, times: 2 },
    }),
  },
  {
    because: 'a sign-in that is written and fails is in the vault, and not on the board',
    shows: order(
      'signing in, window open',
      [{ event: 'Ada agrees', at: 0 }],
      lasting('is done and fails', 'vault: put record'),
    ),
  },
  {
    because: 'a change of account that is written and fails leaves the board with the former person',
    shows: order(
      'changing from Ada to another account, window open',
      [{ event: 'Grace agrees', at: 0 }],
      lasting('is done and fails', 'vault: put record'),
    ),
  },
  {
    because: 'the end of a session that is written and fails leaves the person on the board',
    shows: order(
      'signed in as Ada, no refresh token, nobody at the provider',
      [{ event: 'open', at: 0 }],
      lasting('is done and fails', 'vault: delete record'),
    ),
  },
  {
    because: 'two workers renew one session, and the spent token is sent again',
    shows: order('signed in as Ada, tokens stale', [
      { event: 'update is offered', at: 0 },
      { event: besides, at: { before: 'storage.managed.get' } },
    ]),
  },
  {
    because: 'two workers try a hidden page for one session at once',
    shows: order('signed in as Ada, her grant ended, Ada at the provider', [
      { event: 'open', at: 0 },
      {
        event: besides,
        at: { before: 'storage.local.get policy and signed-out-on-purpose and board and journal' },
      },
    ]),
  },
  {
    because: 'a sign-out that cannot be remembered is forgotten by automatic sign-in',
    shows: order(
      'signed out, to be signed in when the popup opens',
      [{ event: 'sign out', at: 0 }],
      failing('vault: put record'),
    ),
  },
  {
    because:
      'a request beside a policy that names another client renews the old tokens as those of the new client',
    shows: order(
      'asking Ada for more scope, window open',
      [
        { event: 'policy names another client', at: 0 },
        { event: 'API refuses the tokens', at: { after: 'storage.local.set board' } },
      ],
      { policy: 'newest' },
    ),
  },
  {
    because: 'a board that is never written leaves commands without an answer',
    shows: order('signed out', [{ event: 'sign in', at: 0 }], lasting('hangs', 'storage.local.set board')),
  },
  {
    because: 'a database that never answers leaves commands without an answer',
    shows: order('signed in as Ada', [{ event: 'open', at: 0 }], {
      fault: { what: 'hangs', of: 'database', skips: 1 },
    }),
  },
  {
    because: 'a query of the tabs that never answers leaves a cancel without an answer',
    shows: order('signing in, window open', [{ event: 'cancel', at: 0 }], lasting('hangs', 'tabs.query')),
  },
  {
    because: 'managed storage that fails once at a change leaves a provider that it excludes',
    shows: order(
      'signing in, window open',
      [{ event: 'policy excludes the provider', at: 0 }],
      lasting('is rejected', 'storage.managed.get'),
    ),
  },
  {
    because: 'a sign-out before a policy signs people in is forgotten',
    shows: order('signed out since the session of Ada expired', [
      { event: 'sign out', at: 0 },
      { event: 'policy signs in when the popup opens', at: 'rest' },
    ]),
  },
];

test(
  'whatever happens in whatever order, what must hold holds',
  async () => {
    const { findings, runs, pairs } = await explore(extent);
    const stories = new Set<string>();
    for (const finding of findings) stories.add(tell(await shrink(finding)));
    expect([...stories].join('\n\n'), `seed ${seed}, ${runs} orders`).toBe('');
    expect(pairs).toBeGreaterThan(isLong ? 500 : 100);
    expect(runs).toBeGreaterThan(isLong ? 3_000 : 300);
  },
  timeoutMs,
);

const given = readOrder();

test.each(given === null ? [] : [given])(
  'what must hold holds in the order of LATCHKEY_ORDER',
  async (shown) => {
    const outcome = await runOrder(shown);
    const stories = outcome.violations.map((violation) => tell({ order: shown, outcome, violation }));
    expect(stories.join('\n\n')).toBe('');
  },
);

/** Faults of today's worker. The number is that of the point in the second review of the worker, if it is there. */
const stillBroken: readonly {
  readonly because: string;
  readonly point: number | null;
  readonly shows: Order;
}[] = [
  {
    because: 'managed storage that never answers leaves a provider that it excludes',
    point: 15,
    shows: order(
      'signing in, window open',
      [{ event: 'policy excludes the provider', at: 0 }],
      lasting('hangs', 'storage.managed.get'),
    ),
  },
  {
    because: 'a flow that never ends leaves a sign-in for ever',
    point: 16,
    shows: order('signed out', [{ event: 'sign in', at: 0 }], lasting('hangs', 'identity.launchWebAuthFlow')),
  },
  {
    because: 'two workers show a sign-in that neither runs',
    point: null,
    shows: order('signed in as Ada', [
      { event: 'sign in', at: 0 },
      { event: besides, at: { before: 'storage.managed.get' } },
    ]),
  },
  {
    because: 'two workers take a person who signs out for signed in',
    point: null,
    shows: order('signed in as Ada', [
      { event: 'sign out', at: 0 },
      { event: besides, at: { before: 'storage.managed.get' } },
    ]),
  },
];

test.each(stillBroken)("still shows a fault of today's worker: $because", async ({ shows }) => {
  const outcome = await runOrder(shows);
  expect(outcome.status).toBe('ran');
  if (shows.fault !== null) expect(outcome.befallen).not.toEqual([]);
  const shown =
    outcome.violations.length === 0
      ? 'mended: remove this row, or move it to the ones that were broken once'
      : 'broken';
  expect(shown).toBe('broken');
});

/** Every row in the manner of each browser. */
const rows = manners.flatMap((manner) => once.map((row) => ({ ...row, manner })));

test.each(rows)('keeps what was broken once, in $manner: $because', async ({ manner, shows }) => {
  const shown = { ...shows, manner };
  const outcome = await runOrder(shown);
  const stories = outcome.violations.map((violation) => tell({ order: shown, outcome, violation }));
  expect(stories.join('\n\n')).toBe('');
  // A row whose moment or whose call never comes proves nothing.
  expect(outcome.status).toBe('ran');
  if (shown.fault !== null) expect(outcome.befallen).not.toEqual([]);
});

test('a second sign-out leaves the page open on which the first one ends the session at the provider', async () => {
  const stage = await states['signed out everywhere, window open']({ manner: 'chromium' });
  void stage.send({ type: 'sign-out', everywhere: true });
  await stage.drain();
  expect(stage.windows.countShown()).toBe(1);
  expect(stage.board()?.session).toMatchObject({ providerSession: { status: 'ending' } });
});

test('a sign-out may close the window of the sign-in before it, though a request was refused after it', async () => {
  const { status, violations } = await runOrder(
    order('signed in as Ada, tokens stale, metadata too old', [
      { event: 'sign in', at: 0 },
      // The worker opens the window after the three commands were sent, and before it gets to the second.
      { event: 'sign out', at: 14 },
      { event: 'another page requests scope', at: 0 },
    ]),
  );
  expect({ status, violations }).toEqual({ status: 'ran', violations: [] });
});

test('a cancel may close the window of the sign-in before it, though another one was asked for after it', async () => {
  const { status, violations } = await runOrder(
    order('signed in as Ada with the other provider, tokens stale', [
      { event: 'show window', at: 0 },
      // The worker opens the window of the sign-in when the three commands were sent.
      { event: 'sign in', at: 16 },
      { event: 'cancel', at: 0 },
      { event: 'another page requests scope', at: 0 },
    ]),
  );
  expect({ status, violations }).toEqual({ status: 'ran', violations: [] });
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

describe('the variables that choose what runs', () => {
  test.each([[undefined], ['']])('count as not set if they are %j', (text) => {
    expect(readSeed({ LATCHKEY_SEED: text })).toBe(1);
    expect(readOrder({ LATCHKEY_ORDER: text })).toBeNull();
  });

  test('are a seed, and an order as a failure prints it', () => {
    const printed = order('signed out', [{ event: 'sign in', at: 0 }], {
      policy: { seed: 3 },
      fault: { what: 'loses its answer', of: 2 },
    });
    expect(readSeed({ LATCHKEY_SEED: '7' })).toBe(7);
    expect(readOrder({ LATCHKEY_ORDER: JSON.stringify(printed) })).toEqual(printed);
  });

  test.each(['x', '1.5', '-1', ' ', '1e400', '99999999999999999999'])('refuse the seed %j', (text) => {
    expect(() => readSeed({ LATCHKEY_SEED: text })).toThrow(
      `LATCHKEY_SEED is ${JSON.stringify(text)}; expected a whole number`,
    );
  });

  test.each([
    ['{', 'LATCHKEY_ORDER is not JSON. Copy it whole'],
    ['null', 'LATCHKEY_ORDER: '],
    ['{"manner":"chromium","state":"asleep"}', 'LATCHKEY_ORDER, state: '],
    [
      JSON.stringify({ ...order('signed out', []), fault: { what: 'fails', of: 0 } }),
      'LATCHKEY_ORDER, fault.of: ',
    ],
    [
      JSON.stringify({ ...order('signed out', []), events: [{ event: 'nap', at: 0 }] }),
      'LATCHKEY_ORDER, events.0.event: ',
    ],
  ])('refuse the order %s', (text, told) => {
    expect(() => readOrder({ LATCHKEY_ORDER: text })).toThrow(told);
  });
});
