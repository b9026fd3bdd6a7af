// A worker dies while the sign-in window is open. In Chromium the window survives, and its response is lost.

import { expect, test, vi } from 'vitest';
import type { Script } from '../support/scripted-provider.ts';
import { FakeManagedStorage } from '../support/fake-browser.ts';
import { deferred } from '../support/deferred.ts';
import { isSettled } from '../support/boards.ts';
import { rest } from '../support/rest.ts';
import { setUpWorker } from '../support/worker-setup.ts';

type Worker = ReturnType<typeof setUpWorker>;

/** A worker that died while the window was open, and a person who is signed in at the provider by now. */
async function interrupted(setup: Parameters<typeof setUpWorker>[0] = {}, hint?: string): Promise<Worker> {
  const worker = setUpWorker(setup);
  await worker.send({ type: 'sign-in', providerId: 'scripted', ...(hint !== undefined && { hint }) });
  (await worker.nextWindow()).appear();
  // The worker knows its window by now.
  expect(await worker.send({ type: 'show-window' })).toEqual({ ok: true });
  worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
  worker.restartWorker();
  return worker;
}

test('opening the popup signs in a person who finished at the provider, without a second window', async () => {
  const worker = await interrupted();
  await worker.send({ type: 'open' });
  expect((await worker.boardWhere(isSettled)).session).toMatchObject({
    status: 'signed-in',
    profile: { subject: 'ada' },
    problem: null,
  });
  expect(worker.windows).toHaveLength(1);
  expect(worker.silence.urls).toHaveLength(1);
});

test('the silent request has prompt=none, the same login hint and new secrets', async () => {
  const worker = await interrupted({}, 'ada@example.com');
  await worker.send({ type: 'open' });
  await worker.boardWhere(isSettled);
  const asked = new URL(worker.silence.urls[0] ?? '').searchParams;
  const before = new URL(worker.windows[0]?.url ?? '').searchParams;
  expect(asked.get('prompt')).toBe('none');
  expect(asked.get('login_hint')).toBe('ada@example.com');
  for (const secret of ['state', 'nonce', 'code_challenge'])
    expect(asked.get(secret)).not.toBe(before.get(secret));
});

test('a new worker sends nothing to the provider before the popup opens', async () => {
  const worker = await interrupted();
  worker.install();
  await worker.boardWhere(() => true);
  expect(worker.silence.urls).toEqual([]);
  expect(worker.readBoard()?.session.status).toBe('signing-in');
});

test('a left-over sign-in is resumed once, however many pages open', async () => {
  const worker = await interrupted();
  await Promise.all([worker.send({ type: 'open' }), worker.send({ type: 'open' })]);
  await worker.boardWhere(isSettled);
  await worker.send({ type: 'open' });
  expect(worker.silence.urls).toHaveLength(1);
});

test.each<[string, (worker: Worker) => Promise<string>]>([
  ['a page', () => Promise.reject(new Error('User interaction required.'))],
  ['a failing page', () => Promise.reject(new Error('Authorization page could not be loaded.'))],
  ['an unknown error', () => Promise.reject(new Error('A sentence of next year'))],
  ['login_required', (worker) => Promise.resolve(refuse(worker, 'login_required'))],
  ['a forged response', () => Promise.resolve('https://evil.example/?code=x')],
])('a left-over sign-in becomes interrupted when the provider answers with %s', async (_title, answer) => {
  const worker = await interrupted();
  worker.silence.answer = () => answer(worker);
  await worker.send({ type: 'open' });
  expect((await worker.boardWhere(isSettled)).session).toMatchObject({
    status: 'signed-out',
    problem: { code: 'interrupted' },
  });
});

test('a left-over sign-in becomes interrupted after ten minutes, without a request', async () => {
  const clock = { nowMs: Date.now() };
  const worker = await interrupted({ script: { nowMs: () => clock.nowMs } });
  clock.nowMs += 10 * 60_000;
  await worker.send({ type: 'open' });
  expect((await worker.boardWhere(isSettled)).session).toMatchObject({ problem: { code: 'interrupted' } });
  expect(worker.silence.urls).toEqual([]);
});

test('a left-over sign-in becomes interrupted after a restart of the browser, without a request', async () => {
  const worker = await interrupted();
  worker.restartBrowser();
  await worker.send({ type: 'open' });
  expect((await worker.boardWhere(isSettled)).session).toMatchObject({ problem: { code: 'interrupted' } });
  expect(worker.silence.urls).toEqual([]);
});

test('a person who did not finish a change of account keeps their session', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  await worker.send({ type: 'use-another-account' });
  await worker.nextWindow();
  worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect((await worker.boardWhere(isSettled)).session).toMatchObject({
    status: 'signed-in',
    profile: { subject: 'ada' },
    problem: { code: 'interrupted' },
  });
});

test('a person who finished a change of account is signed in with the other account', async () => {
  const script: Script = {};
  const worker = setUpWorker({ script });
  await worker.signIn();
  await worker.send({ type: 'use-another-account' });
  await worker.nextWindow();
  script.claims = { sub: 'grace' };
  worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect((await worker.boardWhere(isSettled)).session).toMatchObject({
    status: 'signed-in',
    profile: { subject: 'grace' },
  });
});

test('a person who asked for another account from signed out, and did not finish, is not signed in with the last one', async () => {
  const clock = { nowMs: Date.now() };
  const script: Script = { nowMs: () => clock.nowMs };
  const worker = setUpWorker({ script });
  await worker.signIn();
  clock.nowMs += 60 * 60_000;
  script.answers = { '/token': () => Response.json({ error: 'invalid_grant' }, { status: 400 }) };
  await worker.send({ type: 'open' });
  await worker.boardWhere(({ session }) => session.status === 'signed-out');
  delete script.answers;

  await worker.send({ type: 'use-another-account' });
  await worker.nextWindow();
  worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect((await worker.boardWhere(isSettled)).session).toMatchObject({
    status: 'signed-out',
    problem: { code: 'interrupted' },
    lastAccount: { subject: 'ada' },
  });
});

test('a sign-out during a sign-in leaves nothing to resume, also if its worker dies before the board says so', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  await worker.send({ type: 'request-scope', scope: 'notes.read' });
  await worker.nextWindow();
  worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
  const never = vi.spyOn(worker.local, 'set').mockReturnValue(new Promise(() => undefined));
  void worker.send({ type: 'sign-out', everywhere: false });
  await rest(worker);
  never.mockRestore();
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect((await worker.boardWhere(isSettled)).session.status).toBe('signed-out');
  expect(worker.silence.urls).toEqual([]);
});

test('a cancelled sign-in is not resumed, although the board could not be written before the worker died', async () => {
  const worker = setUpWorker();
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  (await worker.nextWindow()).appear();
  worker.local.failure = new Error('The storage is full.');
  await worker.send({ type: 'cancel' });
  worker.local.failure = null;
  worker.silence.answer = (url) => Promise.resolve(worker.provider.approve(url));
  worker.restartWorker();
  await worker.send({ type: 'open' });
  await worker.boardWhere(isSettled);
  expect(worker.silence.urls).toEqual([]);
  expect(worker.readBoard()?.session).toMatchObject({
    status: 'signed-out',
    problem: { code: 'interrupted' },
  });
});

test('a resumed sign-in can be cancelled, and its late tokens are revoked', async () => {
  const worker = await interrupted();
  const late = deferred<string>();
  worker.silence.answer = () => late.promise;
  await worker.send({ type: 'open' });
  await expect.poll(() => worker.silence.urls).toHaveLength(1);
  await worker.send({ type: 'cancel' });
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-out', problem: { code: 'cancelled' } });
  late.resolve(worker.provider.approve(worker.silence.urls[0] ?? ''));
  await expect.poll(() => worker.provider.paths()).toContain('/revoke');
  expect(worker.readBoard()?.session.status).toBe('signed-out');
});

test('a policy that changes while a left-over sign-in is read does not end it if its provider is as before', async () => {
  const managed = new FakeManagedStorage();
  const policy = { version: 1, providers: [{ id: 'scripted' }], managedBy: 'Acme IT' };
  managed.policy = policy;
  const worker = await interrupted({ managed });
  const read = deferred<void>();
  const get = worker.memory.get.bind(worker.memory);
  let reads = 0;
  vi.spyOn(worker.memory, 'get').mockImplementation((key) => {
    if (key === 'attempt') reads += 1;
    // The first read is of the start, which finds out whether there is a sign-in to resume.
    return key === 'attempt' && reads > 1 ? read.promise.then(() => get(key)) : get(key);
  });
  await worker.send({ type: 'open' });
  await expect.poll(() => reads).toBe(2);
  managed.change({ ...policy, managedBy: 'Acme Security' });
  await worker.boardWhere(({ managedBy }) => managedBy === 'Acme Security');
  expect(worker.readBoard()?.session.status).toBe('signing-in');
  read.resolve();
  expect((await worker.boardWhere(isSettled)).session).toMatchObject({ status: 'signed-in', problem: null });
});

test('a click on a provider replaces a left-over sign-in', async () => {
  const worker = await interrupted();
  const board = await worker.signIn();
  expect(board.session).toMatchObject({ status: 'signed-in' });
  expect(worker.windows).toHaveLength(2);
});

test('the stored attempt contains no secret of the request', async () => {
  const worker = setUpWorker();
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  const { url } = await worker.nextWindow();
  const asked = new URL(url).searchParams;
  const kept = JSON.stringify([...worker.memory.items, ...worker.local.items]);
  for (const secret of ['state', 'nonce', 'code_challenge']) expect(kept).not.toContain(asked.get(secret));
});

function refuse(worker: Worker, error: string): string {
  const url = new URL(worker.provider.approve(worker.silence.urls.at(-1) ?? ''));
  url.searchParams.delete('code');
  url.searchParams.set('error', error);
  return url.href;
}
