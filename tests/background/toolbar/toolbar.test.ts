import { expect, test, vi } from 'vitest';
import { createToolbar } from '../../../src/background/toolbar.ts';
import { problem, type ProblemCode } from '../../../src/session/problem.ts';
import { signedOut, toSignedIn, type View } from '../../../src/session/view.ts';
import { transition } from '../../../src/background/session/store.ts';
import { lookUp } from '../../support/english.ts';
import { deferred } from '../../support/deferred.ts';
import { createFakeBrowser } from '../../support/fake-browser.ts';
import { soon } from '../../support/soon.ts';
import { toSession } from '../../support/stored-session.ts';
import { setUpWorker } from '../../support/worker-setup.ts';

const signedIn = toSignedIn(toSession().profile, 1_000);
const after = (session: View) =>
  transition(session, {
    type: 'sign-in-started',
    signIn: {
      providerId: 'scripted',
      order: { type: 'use-another-account' },
      attempt: 'attempt-1',
      startedAtMs: 1_000,
    },
  });
const outWith = (code: ProblemCode): View => ({ ...signedOut, problem: problem(code) });
const inWith = (code: ProblemCode): View => ({ ...signedIn, problem: problem(code) });

const [plain, muted, faint] = ['latchkey', 'latchkey-signed-out', 'latchkey-signing-in'];
const name = lookUp('extensionName');
const nothing = { title: `${name}: signed out`, badge: '', icon: muted };
const signedInButton = { title: `${name}: signed in`, badge: '', icon: plain };
const needsYou = { title: `${name} needs your attention`, badge: '!', color: '#b3261e' };
const outAndNeedsYou = { ...needsYou, icon: muted };
const underWay = { title: `${name}: signing in`, badge: '', icon: faint };

const states: [string, View, object][] = [
  ['signed out', signedOut, nothing],
  ['signed out after a cancel', outWith('cancelled'), nothing],
  ['signed out with an unreachable provider', outWith('provider-unreachable'), nothing],
  ['signed out because the session expired', outWith('expired'), outAndNeedsYou],
  ['signed out by an interruption', outWith('interrupted'), outAndNeedsYou],
  ['signed out without a host permission', outWith('host-permission-missing'), outAndNeedsYou],
  ['signed out as a user who is not allowed', outWith('not-permitted'), outAndNeedsYou],
  ['signed out with a wrong clock', outWith('clock-wrong'), outAndNeedsYou],
  ['signing in', after(signedOut), underWay],
  ['changing the account', after(signedIn), underWay],
  ['signed in', signedIn, signedInButton],
  ['signed in and offline', inWith('offline'), signedInButton],
  ['signed in without a host permission', inWith('host-permission-missing'), { ...needsYou, icon: plain }],
];

function setUpToolbar() {
  const fake = createFakeBrowser();
  return { ...fake, start: () => createToolbar(fake.browser, fake.memory, soon) };
}

/** One for each of the buttons, and for the badge beside a user. */
const formers = [
  signedOut,
  outWith('expired'),
  after(signedOut),
  signedIn,
  inWith('host-permission-missing'),
];

test.each(states)('the toolbar shows %s after any other button', async (_state, session, expected) => {
  for (const before of formers) {
    const { start, toolbar } = setUpToolbar();
    const shown = start();
    shown.show(before);
    shown.show(session);
    await expect.poll(() => toolbar, { interval: 1 }).toMatchObject(expected);
  }
});

test('the toolbar uses no call of the browser until it may begin, and then shows the newest state alone', async () => {
  const { browser, memory, toolbar } = setUpToolbar();
  const begun = deferred<void>();
  const reads = vi.spyOn(memory, 'get');
  const shown = createToolbar(browser, memory, () => begun.promise);
  shown.show(after(signedOut));
  shown.show(signedIn);
  await soon();
  expect([reads.mock.calls.length, toolbar.calls]).toEqual([0, 0]);
  begun.resolve();
  await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: { icon: 'signed-in' } });
  // The icon and the title, once.
  expect([reads.mock.calls.length, toolbar.calls]).toEqual([1, 2]);
});

test('the badge does not appear after a cancel', async () => {
  const { start, toolbar, memory } = setUpToolbar();
  const shown = start();
  shown.show(inWith('cancelled'));
  shown.requestAttention();
  await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: {}, isUnseen: true });
  expect(toolbar).toMatchObject(signedInButton);
});

test('a new worker sets only what differs', async () => {
  const { start, toolbar, memory } = setUpToolbar();
  start().show(signedIn);
  await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: { icon: 'signed-in' } });
  const before = toolbar.calls;
  const next = start();
  next.show(signedIn);
  next.show(inWith('offline'));
  next.requestAttention();
  await expect.poll(() => toolbar.badge).toBe('!');
  // The title, the badge and its colour.
  expect(toolbar.calls - before).toBe(3);
});

test.each([0, 1])(
  'an unseen end survives the worker, and %i failures of the browser in the next one',
  async (failures) => {
    const { browser, memory, toolbar } = setUpToolbar();
    const first = createToolbar(browser, memory, soon);
    first.show(signedIn);
    first.requestAttention();
    await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: {}, isUnseen: true });
    let left = failures;
    const setIcon: typeof browser.action.setIcon = (details) =>
      left-- > 0 ? Promise.reject(new Error('Failed to fetch')) : browser.action.setIcon(details);
    const second = createToolbar({ ...browser, action: { ...browser.action, setIcon } }, memory, soon);
    second.show(outWith('offline'));
    await expect.poll(() => toolbar.icon).toBe(muted);
    await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: { icon: 'signed-out' } });
    expect(toolbar).toMatchObject(outAndNeedsYou);
  },
);

test('a badge that was looked at goes with its other reason, also in the next worker', async () => {
  const { start, memory, toolbar } = setUpToolbar();
  const first = start();
  first.show(outWith('expired'));
  first.requestAttention();
  await expect
    .poll(() => memory.items.get('toolbar'))
    .toMatchObject({ button: { badge: '!' }, isUnseen: true });
  first.clearAttention();
  await expect
    .poll(() => memory.items.get('toolbar'))
    .toMatchObject({ button: { badge: '!' }, isUnseen: false });
  start().show(signedOut);
  await expect.poll(() => toolbar.badge).toBe('');
});

test('the toolbar sets everything again after a change that failed in part', async () => {
  const { browser, memory, toolbar } = setUpToolbar();
  let failures = 0;
  const setIcon: typeof browser.action.setIcon = (details) => {
    if (details.path['16'] === '/icons/latchkey-signed-out-16.png') return browser.action.setIcon(details);
    failures += 1;
    return Promise.reject(new Error('Failed to fetch'));
  };
  const shown = createToolbar({ ...browser, action: { ...browser.action, setIcon } }, memory, soon);
  shown.show(signedOut);
  await expect.poll(() => toolbar).toMatchObject(nothing);
  shown.show(signedIn);
  await expect.poll(() => toolbar.title).toBe(signedInButton.title);
  shown.show(signedOut);
  await expect.poll(() => toolbar).toMatchObject(nothing);
  // Each change is tried twice.
  expect(failures).toBe(2);
});

test.each(['setIcon', 'setTitle', 'setBadgeText'] as const)(
  'a worker that dies while the toolbar is changed, at %s, leaves the change to the next one',
  async (call) => {
    const { browser, memory, toolbar, start } = setUpToolbar();
    start().show(signedIn);
    await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: { icon: 'signed-in' } });
    const dead = () => new Promise<never>(() => undefined);
    createToolbar({ ...browser, action: { ...browser.action, [call]: dead } }, memory, soon).show(
      outWith('expired'),
    );
    await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: null });
    await soon();
    start().show(signedIn);
    await expect.poll(() => toolbar).toMatchObject(signedInButton);
    await expect.poll(() => memory.items.get('toolbar')).toMatchObject({ button: { icon: 'signed-in' } });
  },
);

test('the toolbar is set again after a restart of the browser, and never names the user', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  await expect.poll(() => worker.toolbar).toMatchObject(signedInButton);
  worker.restartBrowser();
  expect(worker.toolbar).toMatchObject({ icon: muted });
  await expect.poll(() => worker.toolbar).toMatchObject(signedInButton);
  expect(JSON.stringify(worker.toolbar)).not.toMatch(/ada/i);
});
