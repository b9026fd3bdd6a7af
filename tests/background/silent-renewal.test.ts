// Tokens that a refresh token cannot renew: the silent way, and where it ends.

import { expect, test } from 'vitest';
import { provider as scripted, type Script } from '../support/scripted-provider.ts';
import { setUpWorker } from '../support/worker-setup.ts';

type Worker = ReturnType<typeof setUpWorker>;

const invalidGrant = () => Response.json({ error: 'invalid_grant' }, { status: 400 });

/** Signed in, with tokens that have ended; `token` is what the sign-in gave. */
async function stale(token: Script['token'] = {}) {
  const clock = { nowMs: Date.now() };
  const script: Script = { nowMs: () => clock.nowMs, token };
  const worker = setUpWorker({ script });
  await worker.signIn();
  clock.nowMs += 60 * 60_000;
  return { worker, script };
}

/** Refuses refresh tokens, and nothing else. */
function refuseRefreshTokens(worker: Worker, script: Script): void {
  script.answers = {
    '/token': async () =>
      worker.provider.requests.at(-1)?.parameters.get('grant_type') === 'refresh_token'
        ? invalidGrant()
        : Response.json(await worker.provider.tokenAnswer()),
  };
}

const approve = (worker: Worker) => (url: string) => Promise.resolve(worker.provider.approve(url));

function decline(worker: Worker, error: string) {
  return (url: string) => {
    const answer = new URL(worker.provider.approve(url));
    answer.searchParams.delete('code');
    answer.searchParams.set('error', error);
    return Promise.resolve(answer.href);
  };
}

const tokenRequests = (worker: Worker) =>
  worker.provider.requests.flatMap(({ parameters }) => parameters.get('grant_type') ?? []);

test('a session without a refresh token is renewed silently, as the same person', async () => {
  const { worker } = await stale({ refresh_token: undefined });
  worker.silence.answer = approve(worker);
  await worker.send({ type: 'open' });
  await expect.poll(() => tokenRequests(worker)).toEqual(['authorization_code', 'authorization_code']);
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', problem: null });
  expect(new URL(worker.silence.urls[0] ?? '').searchParams.get('login_hint')).toBe('ada@example.com');
  expect(worker.windows).toHaveLength(1);
});

test('a refresh token that is refused is replaced silently, and nobody notices', async () => {
  const { worker, script } = await stale();
  refuseRefreshTokens(worker, script);
  worker.silence.answer = approve(worker);
  script.token = { refresh_token: 'refresh-2' };
  await worker.send({ type: 'open' });
  await expect
    .poll(() => tokenRequests(worker))
    .toEqual(['authorization_code', 'refresh_token', 'authorization_code']);
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', problem: null });
  await worker.send({ type: 'sign-out', everywhere: false });
  await expect.poll(() => worker.provider.requests.at(-1)?.parameters.get('token')).toBe('refresh-2');
});

test.each<[string, (worker: Worker) => (url: string) => Promise<string>]>([
  ['login_required', (worker) => decline(worker, 'login_required')],
  ['consent_required', (worker) => decline(worker, 'consent_required')],
  ['an error of its own', (worker) => decline(worker, 'tenant_suspended')],
  ['a page', () => () => Promise.reject(new Error('User interaction required.'))],
  ['a page in Firefox', () => () => Promise.reject(new Error('Requires user interaction'))],
  ['a 500', () => () => Promise.reject(new Error('Authorization page could not be loaded.'))],
])('a refused refresh token and %s end the session, and the person can continue', async (_title, answer) => {
  const { worker, script } = await stale();
  refuseRefreshTokens(worker, script);
  worker.silence.answer = answer(worker);
  await worker.send({ type: 'open' });
  const { session } = await worker.boardWhere((board) => board.session.status === 'signed-out');
  expect(session).toMatchObject({ problem: { code: 'expired' }, lastAccount: { subject: 'ada' } });
});

test('a refused refresh token and another person at the provider end the session, and sign nobody else in', async () => {
  const { worker, script } = await stale();
  refuseRefreshTokens(worker, script);
  script.claims = { sub: 'eve' };
  script.token = { refresh_token: 'refresh-eve' };
  worker.silence.answer = approve(worker);
  await worker.send({ type: 'open' });
  const { session } = await worker.boardWhere((board) => board.session.status === 'signed-out');
  expect(session).toMatchObject({ problem: { code: 'expired' }, lastAccount: { subject: 'ada' } });
  await expect
    .poll(async () => {
      await worker.send({ type: 'open' });
      return worker.provider.requests
        .filter(({ path }) => path === '/revoke')
        .map(({ parameters }) => parameters.get('token'));
    })
    .toEqual(['refresh-eve']);
});

test.each<[string, (worker: Worker) => (url: string) => Promise<string>, string]>([
  ['a page', () => () => Promise.reject(new Error('User interaction required.')), 'unexpected'],
  [
    'a 500',
    () => () => Promise.reject(new Error('Authorization page could not be loaded.')),
    'sign-in-page-failed',
  ],
])(
  'a session without a refresh token is kept, and marked, where the silent way meets %s',
  async (_title, answer, code) => {
    const { worker } = await stale({ refresh_token: undefined });
    worker.silence.answer = answer(worker);
    await worker.send({ type: 'open' });
    const { session } = await worker.boardWhere(
      (board) => board.session.status === 'signed-in' && board.session.problem !== null,
    );
    expect(session).toMatchObject({ problem: { code } });
  },
);

test('a session without a refresh token ends when the provider says that nobody is signed in', async () => {
  const { worker } = await stale({ refresh_token: undefined });
  worker.silence.answer = decline(worker, 'login_required');
  await worker.send({ type: 'open' });
  const { session } = await worker.boardWhere((board) => board.session.status === 'signed-out');
  expect(session).toMatchObject({ problem: { code: 'expired' }, lastAccount: { subject: 'ada' } });
});

/** Signed in at a provider whose refresh tokens end a day after the sign-in, some hours ago. */
async function after(hours: number, accessTokenSeconds = 86_400) {
  const clock = { nowMs: Date.now() };
  const script: Script = { nowMs: () => clock.nowMs, token: { expires_in: accessTokenSeconds } };
  const worker = setUpWorker({ script, providers: [{ ...scripted, refreshTokenSeconds: 86_400 }] });
  await worker.signIn();
  clock.nowMs += hours * 3_600_000;
  return { worker, script };
}

test('refresh tokens that end on a fixed day are replaced silently before that, once', async () => {
  const { worker, script } = await after(19);
  script.token = { refresh_token: 'refresh-2', expires_in: 86_400 };
  worker.silence.answer = approve(worker);
  await worker.send({ type: 'open' });
  await expect.poll(() => tokenRequests(worker)).toEqual(['authorization_code', 'authorization_code']);
  worker.restartWorker();
  await worker.send({ type: 'open' });
  await worker.send({ type: 'sign-out', everywhere: false });
  await expect.poll(() => worker.provider.requests.at(-1)?.parameters.get('token')).toBe('refresh-2');
  expect(worker.silence.urls).toHaveLength(1);
});

test('refresh tokens that have long to go are left alone', async () => {
  const { worker } = await after(17);
  await worker.send({ type: 'open' });
  await worker.send({ type: 'open' });
  expect(worker.silence.urls).toEqual([]);
});

test('where the silent way fails ahead of time, tokens that are fresh are used on', async () => {
  const { worker } = await after(19);
  await worker.send({ type: 'open' });
  await expect.poll(() => worker.silence.urls).toHaveLength(1);
  expect(tokenRequests(worker)).toEqual(['authorization_code']);
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', problem: null });
});

test('where the silent way fails ahead of time, the refresh token does as long as it lasts', async () => {
  const { worker, script } = await after(19, 300);
  script.claims = { nonce: undefined };
  await worker.send({ type: 'open' });
  await expect.poll(() => tokenRequests(worker)).toEqual(['authorization_code', 'refresh_token']);
  expect(worker.readBoard()?.session).toMatchObject({ status: 'signed-in', problem: null });
  expect(worker.windows).toHaveLength(1);
});

test('an update waits for a sign-in, and then does not', async () => {
  const worker = setUpWorker();
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  const window = await worker.nextWindow();
  worker.offerUpdate();
  await worker.send({ type: 'show-window' });
  expect(worker.shown.reloads).toBe(0);
  worker.approve(window);
  await worker.boardWhere((board) => board.session.status === 'signed-in');
  await expect.poll(() => worker.shown.reloads).toBe(1);
});

test('an update at rest happens at once', async () => {
  const worker = setUpWorker();
  worker.offerUpdate();
  await expect.poll(() => worker.shown.reloads).toBe(1);
});

test('a sign-in that is cancelled while the provider is being found opens no window', async () => {
  const discovery = Promise.race<Response>([]);
  const script: Script = { answers: { '/.well-known/openid-configuration': () => discovery } };
  const worker = setUpWorker({ script });
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  await expect.poll(() => worker.provider.paths()).toHaveLength(1);
  await worker.send({ type: 'cancel' });
  expect(worker.readBoard()?.session).toMatchObject({ problem: { code: 'cancelled' } });
  expect(worker.windows).toEqual([]);
});
