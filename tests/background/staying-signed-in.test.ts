import { expect, test } from 'vitest';
import { unknownLifetimeSeconds } from '../../src/oidc/tokens.ts';
import { createSigningKey, type Script } from '../support/scripted-provider.ts';
import { setUpWorker } from '../support/worker-setup.ts';

/** A script whose clock the test moves, and whose provider dates its tokens by it. */
function withClock(script: Script = {}) {
  const clock = { nowMs: Date.now() };
  return { clock, script: { ...script, nowMs: () => clock.nowMs } satisfies Script };
}

const minutes = 60_000;
const renewals = (worker: ReturnType<typeof setUpWorker>) =>
  worker.provider.requests.filter(({ parameters }) => parameters.get('grant_type') === 'refresh_token');

test('a session outlives its worker', async () => {
  const worker = setUpWorker();
  const before = await worker.signIn();
  worker.restartWorker();
  expect(await worker.send({ type: 'open' })).toEqual({ ok: true });
  expect(worker.readBoard()?.session).toMatchObject(before.session);
});

test('a session on the device outlives the browser', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  worker.restartBrowser();
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', profile: { subject: 'ada' } });
});

test('a session of the browser ends with it, and nothing of it can be opened any more', async () => {
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
  'a board that is %j is written again',
  async (stored) => {
    const worker = setUpWorker();
    await worker.signIn();
    worker.local.items.set('board', stored);
    worker.restartWorker();
    await worker.send({ type: 'open' });
    expect(worker.readBoard()?.session.status).toBe('signed-in');
  },
);

test('a vault that was lost ends the session, and the person can continue', async () => {
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

test('the next sign-in closes the window that a dead worker left behind', async () => {
  const worker = setUpWorker();
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  (await worker.nextWindow()).appear();
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

test('stale tokens are renewed when the person opens the popup, once for all who open it', async () => {
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

test('keys that have changed and cannot be had cost nobody the refresh token that has just been replaced', async () => {
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
  ['answers 503', new Response('', { status: 503 }), 'provider-unreachable'],
  ['answers 429', new Response('', { status: 429 }), 'provider-unreachable'],
  [
    'answers a web page',
    new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'provider-unreachable',
  ],
  ['answers nonsense', new Response('nonsense'), 'response-rejected'],
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch')), 'provider-unreachable'],
])('a provider that %s at a renewal costs nobody their session', async (_title, answer, code) => {
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

test('a provider that refuses the refresh token ends the session, and the person can continue', async () => {
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

test('a session without a refresh token is a whole session', async () => {
  const { clock, script } = withClock({ token: { refresh_token: undefined } });
  const worker = setUpWorker({ script });
  await worker.signIn();
  clock.nowMs += 60 * minutes;
  worker.restartWorker();
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', problem: null });
});

test('a provider that is configured differently today has no session from yesterday', async () => {
  const worker = setUpWorker();
  await worker.signIn();
  worker.restartWorker({ clientId: 'another-client' });
  await worker.send({ type: 'open' });
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-out', problem: { code: 'expired' } });
});
