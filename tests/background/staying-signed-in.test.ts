import { expect, test } from 'vitest';
import { unknownLifetimeSeconds } from '../../src/oidc/tokens.ts';
import { createSigningKey, type Script } from '../support/scripted-provider.ts';
import { setUpWorker } from '../support/worker-setup.ts';

/** A script with a clock that the test moves, also for the provider's tokens. */
function withClock(script: Script = {}) {
  const clock = { nowMs: Date.now() };
  return { clock, script: { ...script, nowMs: () => clock.nowMs } satisfies Script };
}

const minutes = 60_000;
const renewals = (worker: ReturnType<typeof setUpWorker>) =>
  worker.provider.requests.filter(({ parameters }) => parameters.get('grant_type') === 'refresh_token');

test('a session survives its worker', async () => {
  const worker = setUpWorker();
  const before = await worker.signIn();
  worker.restartWorker();
  expect(await worker.send({ type: 'open' })).toEqual({ ok: true });
  expect(worker.readBoard()?.session).toMatchObject(before.session);
});

test('a session on the device survives a restart of the browser', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  worker.restartBrowser();
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', profile: { subject: 'ada' } });
});

test("a session in the browser's memory ends with the browser, and its record cannot be opened any more", async () => {
  const worker = setUpWorker({ persistence: 'browser' });
  expect((await worker.signIn()).session.status).toBe('signed-in');
  expect(worker.local.items.size).toBe(0);
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session.status).toBe('signed-in');

  worker.restartBrowser();
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session).toEqual({
    status: 'signed-out',
    problem: null,
    lastAccount: null,
    providerSession: null,
  });
});

test('a lost board is written again from the vault', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  worker.local.items.clear();
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session.status).toBe('signed-in');
});

test.each([['not a board'], [{ version: 99 }], [{ version: 1, session: { status: 'root' } }], [null]])(
  'a board that reads %j is written again',
  async (stored) => {
    const worker = setUpWorker();
    await worker.signIn();
    worker.local.items.set('board', stored);
    worker.restartWorker();
    await worker.send({ type: 'open' });
    expect(worker.readBoard()?.session.status).toBe('signed-in');
  },
);

test('a lost vault ends the session as expired, with the last account', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  const before = worker.local.items.get('board');
  const emptied = setUpWorker();
  emptied.local.items.set('board', before);
  emptied.restartWorker();
  await emptied.send({ type: 'open' });
  expect(emptied.readBoard()?.session).toMatchObject({
    status: 'signed-out',
    problem: { code: 'expired' },
    lastAccount: { subject: 'ada', email: 'ada@example.com' },
  });
});

test('the next sign-in closes the window that a dead worker left', async () => {
  const worker = setUpWorker();
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  (await worker.nextWindow()).appear();
  await expect.poll(() => worker.memory.items.get('auth-window')).toBe(1);
  worker.restartWorker();
  const closed: number[] = [];
  worker.browser.windows.onRemoved.addListener((id) => void closed.push(id));
  await worker.signIn();
  expect(closed[0]).toBe(1);
});

test('fresh tokens are not renewed', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  await worker.send({ type: 'open' });
  await worker.send({ type: 'open' });
  expect(renewals(worker)).toEqual([]);
});

test('stale tokens are renewed when a page opens, once for all pages', async () => {
  const { clock, script } = withClock({ token: { expires_in: undefined } });
  const worker = setUpWorker({ script });
  await worker.signIn();
  clock.nowMs += unknownLifetimeSeconds * 1000;
  script.token = { refresh_token: 'refresh-2', id_token: undefined };
  await Promise.all([
    worker.send({ type: 'open' }),
    worker.send({ type: 'open' }),
    worker.send({ type: 'open' }),
  ]);
  await expect.poll(() => renewals(worker)).toHaveLength(1);

  clock.nowMs += 10 * minutes;
  await expect
    .poll(async () => {
      await worker.send({ type: 'open' });
      return renewals(worker).map(({ parameters }) => parameters.get('refresh_token'));
    })
    .toEqual(['refresh-1', 'refresh-2']);
});

test("a replaced refresh token is kept when the provider's new keys cannot be fetched", async () => {
  const { clock, script } = withClock();
  const worker = setUpWorker({ script });
  await worker.signIn();
  clock.nowMs += 10 * minutes;
  script.signingKey = await createSigningKey('key-2');
  script.claims = { nonce: undefined };
  script.token = { refresh_token: 'refresh-2' };
  script.answers = { '/keys': () => Promise.reject(new TypeError('Failed to fetch')) };
  await worker.send({ type: 'open' });
  await expect.poll(() => worker.provider.paths().at(-1)).toBe('/keys');

  delete script.answers;
  clock.nowMs += 10 * minutes;
  await expect
    .poll(async () => {
      await worker.send({ type: 'open' });
      return renewals(worker).map(({ parameters }) => parameters.get('refresh_token'));
    })
    .toEqual(['refresh-1', 'refresh-2']);
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', problem: null });
});

test.each<[string, Response | (() => Promise<Response>), string]>([
  ['answers with 503', new Response('', { status: 503 }), 'provider-unreachable'],
  ['answers with 429', new Response('', { status: 429 }), 'provider-unreachable'],
  [
    'answers a web page',
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'provider-unreachable',
  ],
  ['answers with nonsense', new Response('nonsense'), 'response-rejected'],
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch')), 'provider-unreachable'],
])('a renewal at a provider that %s keeps the session', async (_title, answer, code) => {
  const { clock, script } = withClock();
  const worker = setUpWorker({ script });
  await worker.signIn();
  clock.nowMs += 10 * minutes;
  script.answers = { '/token': answer };
  await worker.send({ type: 'open' });
  const marked = await worker.boardWhere(
    ({ session }) => session.status === 'signed-in' && session.problem !== null,
  );
  expect(marked.session).toMatchObject({ status: 'signed-in', problem: { code } });

  delete script.answers;
  script.claims = { nonce: undefined };
  await expect
    .poll(async () => {
      await worker.send({ type: 'open' });
      return worker.readBoard()?.session;
    })
    .toMatchObject({ status: 'signed-in', problem: null });
});

test('a refused refresh token ends the session as expired, with the last account', async () => {
  const { clock, script } = withClock();
  const worker = setUpWorker({ script });
  await worker.signIn();
  clock.nowMs += 10 * minutes;
  script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
  await worker.send({ type: 'open' });
  const { session } = await worker.boardWhere((board) => board.session.status === 'signed-out');
  expect(session).toMatchObject({ problem: { code: 'expired' }, lastAccount: { subject: 'ada' } });
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session).toEqual(session);
});

test('a session without a refresh token stays signed in', async () => {
  const { clock, script } = withClock({ token: { refresh_token: undefined } });
  const worker = setUpWorker({ script });
  await worker.signIn();
  clock.nowMs += 60 * minutes;
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', problem: null });
});

test('a provider with a changed configuration does not keep its old session', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  worker.restartWorker({ clientId: 'another-client' });
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-out', problem: { code: 'expired' } });
});
