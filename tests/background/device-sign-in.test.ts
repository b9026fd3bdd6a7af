// A sign-in with a code that the user enters on a page of the provider.

import { expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { deferred } from '../support/deferred.ts';
import {
  deviceCode,
  issued,
  pending,
  refusal,
  shortCode,
  showingCode,
  toShown,
  userCode,
} from '../support/device-scene.ts';
import { FakeManagedStorage } from '../support/fake-browser.ts';
import { adaIsSignedIn, hour, interrupted } from '../support/worker-setup.ts';
import { nothingHeld, readSealed } from '../support/held.ts';
import { payOrigin } from '../support/scripted-api.ts';
import { provider as scripted } from '../support/scripted-provider.ts';

test('the board shows the code at once, and the user once they have agreed', async () => {
  const { worker, clock, code, pass, agree } = await showingCode();
  expect(code()).toEqual(toShown(clock.nowMs));
  expect(worker.windows).toHaveLength(0);
  await pass(5);
  expect(worker.session()?.status).toBe('signing-in');
  agree();
  await pass(5);
  await worker.expectSession(adaIsSignedIn);
  expect(worker.shown.popups).toBe(1);
});

test('a code that no board shows is not kept', async () => {
  const { worker, pass } = await showingCode();
  expect((await worker.held()).deviceCode).toBe(deviceCode);
  worker.local.items.delete('board');
  worker.restartWorker({ deviceFlow: 'off' });
  await Promise.all([worker.open(), pass(1)]);
  expect(await worker.held()).toEqual(nothingHeld);
});

test.each([
  ['comes', '/device', 0, Response.json(issued)],
  ['is to be asked for more slowly', '/token', 5, refusal('slow_down')],
] as const)('a code that %s after Cancel is not kept', async (_what, path, afterSeconds, answer) => {
  const late = deferred<Response>();
  const { worker, pass } = await showingCode(pending, {
    script: { answers: { [path]: () => late.promise } },
  });
  await pass(afterSeconds);
  await expect.poll(() => worker.count(path)).toBe(1);
  await worker.cancel();
  late.resolve(answer.clone());
  await worker.rest();
  expect(await worker.held()).toEqual(nothingHeld);
});

test('the worker asks at the pace of the provider, and slower each time that it is told so, as does the next one', async () => {
  const { asked, pass, script, worker } = await showingCode();
  await pass(12);
  expect(asked).toEqual([5, 10]);
  script.answers!['/token'] = () => refusal('slow_down');
  await pass(3);
  script.answers!['/token'] = pending;
  await pass(25);
  expect(asked).toEqual([5, 10, 15, 25, 35]);
  await worker.reopen({ deviceFlow: 'only' });
  await worker.rest();
  await pass(12);
  expect(asked.slice(5)).toEqual([50]);
});

test('each failure in a row doubles the pause, to a minute at most', async () => {
  const { asked, pass, script } = await showingCode(() => new Response('', { status: 503 }));
  await pass(240, 5);
  expect(asked).toEqual([5, 15, 35, 75, 135, 195]);
  script.answers!['/token'] = pending;
  await pass(25, 5);
  expect(asked.slice(6)).toEqual([255, 260, 265]);
});

test('a code that is entered while the provider cannot be reached is redeemed just before its end', async () => {
  const { worker, pass, agree, asked } = await showingCode(pending, { script: shortCode });
  worker.network.isOnline = false;
  agree();
  await pass(105, 5);
  worker.network.isOnline = true;
  await pass(10, 5);
  expect(asked).toEqual([110]);
  await worker.expectSession(adaIsSignedIn);
});

test('a code that cannot be stored is not shown, because its session could not be stored either', async () => {
  const { worker } = await showingCode();
  await worker.cancel();
  const shown = worker.watchBoards();
  worker.disk.failure = new ProblemError('storage-failed');
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  await worker.rest();
  await worker.expectSession({ status: 'signed-out', problem: { code: 'storage-failed' } });
  expect(JSON.stringify(shown)).not.toContain(userCode);
});

test('a code lasts no longer because the clock is set back, also in the next worker', async () => {
  const { worker, clock, pass, asked } = await showingCode(pending, { script: shortCode });
  await pass(30, 5);
  clock.nowMs -= 2 * hour;
  await pass(120, 10);
  await worker.expectSession(interrupted);
  const before = asked.length;
  await pass(60, 10);
  expect(asked).toHaveLength(before);

  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  await pass(5);
  clock.nowMs -= 2 * hour;
  await worker.reopen({ deviceFlow: 'only' });
  await worker.expectSession(interrupted);
});

test.each([
  ['by its time', pending],
  ['at the provider', refusal('expired_token')],
])(
  'a code that ends %s before the user has entered it is gone, and the next one works',
  async (_how, token) => {
    const { worker, pass, agree } = await showingCode(token, { script: shortCode });
    await pass(120, 10);
    await worker.expectSession(interrupted);
    expect(await worker.held()).toEqual(nothingHeld);
    agree();
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    await worker.rest();
    await pass(5);
    await worker.expectSession(adaIsSignedIn);
  },
);

test('Cancel ends the waiting at once, without a word of a window', async () => {
  const { worker, pass, asked } = await showingCode();
  await worker.cancel();
  await worker.expectSession({ status: 'signed-out', problem: null });
  expect(worker.session()).not.toMatchObject({ problem: { window: 'left-open' } });
  await pass(20);
  expect(asked).toEqual([]);
  expect(await worker.held()).toEqual(nothingHeld);
});

test('a session without a refresh token ends as expired, because there is no silent way', async () => {
  const { worker, pass, agree } = await showingCode(pending, {
    script: { token: { refresh_token: undefined } },
  });
  agree();
  await pass(5);
  await worker.openAfter(3_600_000);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'expired' } });
  expect(worker.silence.urls).toEqual([]);
});

test.each([
  ['a page opens', 'open'],
  ['a page that shows the code wakes it', 'prepare'],
] as const)('the next worker goes on asking when %s, and not before', async (_when, type) => {
  const { worker, pass, agree, asked, code } = await showingCode();
  const shown = code();
  worker.restartWorker({ deviceFlow: 'only' });
  agree();
  await pass(20);
  expect(asked).toEqual([]);
  await worker.send({ type });
  await worker.rest();
  expect(code()).toEqual(shown);
  await pass(5);
  await worker.expectSession(adaIsSignedIn);
  expect(await worker.held()).toMatchObject({
    session: { subject: 'ada' },
    pendingRevocations: [],
    deviceCode: null,
  });
  expect(worker.silence.urls).toEqual([]);
  expect(worker.shown.popups).toBe(1);
});

test('the next worker shows a code that was stored before the board showed it', async () => {
  const { worker, code } = await showingCode();
  const shown = code();
  const board = worker.readBoard();
  worker.area.items.set('board', { ...board, session: { ...board?.session, device: null } });
  await worker.reopen({ deviceFlow: 'only' });
  await worker.rest();
  expect(code()).toEqual(shown);
});

test.each([
  ['cancelled before a page opens', {}, 'cancel', null],
  ['of another client than the one of now', { clientId: 'another-client' }, 'open', { code: 'interrupted' }],
  ['of another issuer than the one of now', { issuer: 'https://x.example' }, 'open', { code: 'interrupted' }],
  ['of a provider that no longer uses codes', { deviceFlow: 'off' }, 'open', { code: 'interrupted' }],
] as const)('a code that is %s is gone', async (_, settings, type, problem) => {
  const { worker, pass, asked } = await showingCode();
  worker.restartWorker({ deviceFlow: 'only', ...settings });
  await worker.send({ type });
  await pass(20);
  await worker.expectSession({ status: 'signed-out', problem });
  expect(worker.session()).not.toMatchObject({ problem: { window: 'left-open' } });
  expect(asked).toEqual([]);
  expect((await worker.held()).deviceCode).toBeNull();
});

test('a code of an earlier sign-in than the one on the board is gone', async () => {
  const { worker, pass, asked, clock } = await showingCode();
  // A worker that dies before it has stored the end of a code leaves this.
  const board = worker.readBoard();
  const later = { ...board?.session, attempt: 'later', startedAtMs: clock.nowMs + 1 };
  worker.area.items.set('board', { ...board, session: later });
  worker.restartWorker({ deviceFlow: 'only' });
  await worker.open();
  await pass(20);
  await worker.expectSession(interrupted);
  expect(asked).toEqual([]);
  expect((await worker.held()).deviceCode).toBeNull();
});

test('a code goes to no other client if a policy changes it before the next worker could write the board', async () => {
  const managed = new FakeManagedStorage();
  const policyOf = (settings: object) => ({
    version: 1,
    providers: [{ id: 'scripted', ...settings }],
    locked: true,
  });
  managed.policy = policyOf({});
  const { worker, pass, asked } = await showingCode(pending, { managed });
  worker.area.items.set('board', { ...worker.readBoard(), managedBy: 'A name that is written again' });
  const { set } = worker.local;
  worker.local.set = () => Promise.reject(new Error('The disk is full.'));
  worker.restartWorker();
  expect(await worker.open()).toMatchObject({ ok: false, problem: { code: 'storage-failed' } });
  managed.change(policyOf({ clientId: 'another-client' }));
  await worker.rest();
  worker.local.set = set;
  expect(await worker.open()).toEqual({ ok: true });
  await pass(20);
  expect(asked).toEqual([]);
  await worker.expectSession(interrupted);
  expect((await worker.held()).deviceCode).toBeNull();
});

test('the secret is in no storage that a page can read, nor in plain text in the database', async () => {
  const { worker } = await showingCode();
  const stored = JSON.stringify([[...worker.local.items], [...worker.memory.items]]);
  expect(stored).toContain('WDJB-MJHT');
  expect(stored).not.toContain(deviceCode);
  expect((await worker.held()).deviceCode).toBe(deviceCode);
  expect(await readSealed(worker)).not.toContain(deviceCode);
});

test('a provider for which it is a fallback shows a code where the browser can open no window', async () => {
  const { worker, code, clock, agree, pass } = await showingCode(pending, {
    providers: [{ ...scripted, deviceFlow: 'fallback' }],
  });
  worker.windows[0]?.fail("Couldn't create a browser window to display an authorization page.");
  await worker.rest();
  expect(code()).toEqual(toShown(clock.nowMs));
  agree();
  await pass(5);
  await worker.expectSession(adaIsSignedIn);
});

test('a window that the user closes is no reason for a code', async () => {
  const { worker } = await showingCode(pending, { providers: [{ ...scripted, deviceFlow: 'fallback' }] });
  worker.windows[0]?.close();
  await worker.expectSession({ status: 'signed-out', problem: { code: 'cancelled' } });
  expect(worker.count('/device')).toBe(0);
});

test('a scope that the user did not allow ends the request, and the tokens are revoked', async () => {
  const { worker, pass, agree, script } = await showingCode();
  agree();
  await pass(5);
  script.token = { scope: 'openid', refresh_token: 'refresh-2' };
  await worker.send({ type: 'request-scope', scope: 'notes.read' });
  await worker.rest();
  await pass(5);
  await worker.expectSession({ status: 'signed-in', problem: { code: 'denied' } });
  const { parameters } = worker.provider.requests.findLast(({ path }) => path === '/device') ?? {};
  expect(parameters?.get('scope')).toContain('notes.read');
});

test('the next worker that goes on with a request for a scope keeps those of APIs', async () => {
  const pay = { name: null, origins: [payOrigin], scope: null, resource: 'urn:pay', audience: null };
  const providers: Provider[] = [{ ...scripted, deviceFlow: 'fallback', apis: [pay] }];
  const { worker, script, code, agree, pass } = await showingCode(pending, { providers });
  agree();
  script.claims = {};
  worker.approve(await worker.nextWindow());
  await worker.expectSession(adaIsSignedIn);
  await worker.agreeTo({ type: 'request-scope', scope: 'pay.write', api: payOrigin });
  await worker.expectSession(adaIsSignedIn);

  script.answers!['/token'] = pending;
  const window = await worker.begin({ type: 'request-scope', scope: 'notes.read' });
  window.fail("Couldn't create a browser window to display an authorization page.");
  await expect.poll(code).toBeTruthy();
  worker.restartWorker();
  await worker.open();
  agree();
  script.claims = { nonce: undefined };
  await pass(5);
  await worker.expectSession(adaIsSignedIn);
  await worker.fetch(`${payOrigin}/bills`);
  const { parameters } = worker.provider.requests.findLast(({ path }) => path === '/token')!;
  expect([parameters.get('resource'), parameters.get('scope')]).toEqual(['urn:pay', 'pay.write']);
});

test.each(['invalid_grant', 'expired_token'])(
  'a code whose tokens were lost on the way ends because of that when the provider then answers %s',
  async (error) => {
    const { worker, pass, script } = await showingCode(() =>
      Promise.reject(new TypeError('Failed to fetch')),
    );
    await pass(5);
    script.answers!['/token'] = refusal(error);
    await pass(10);
    await worker.expectSession({ status: 'signed-out', problem: { code: 'provider-unreachable' } });
  },
);

test('a code is still shown by the next worker if the clock was corrected backwards a little', async () => {
  const { worker, clock, code } = await showingCode();
  const shown = code();
  clock.nowMs -= 60_000;
  await worker.reopen({ deviceFlow: 'only' });
  expect(code()).toEqual(shown);
});
