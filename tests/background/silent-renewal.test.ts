// Silent sign-in: new tokens when a refresh token cannot bring them.

import { describe, expect, test } from 'vitest';
import { mannerOfRun, type Manner } from '../support/fake-storage.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { provider as scripted, type Script } from '../support/scripted-provider.ts';
import { refusal } from '../support/device-scene.ts';
import { expired, setUpWorker, type Worker } from '../support/worker-setup.ts';

/** A session with expired tokens; `token` overrides the token response of the sign-in. */
async function stale(token: Script['token'] = {}, manner: Manner = mannerOfRun) {
  const script: Script = { token };
  const worker = setUpWorker({ script, manner });
  await worker.signIn();
  worker.clock.nowMs += 60 * 60_000;
  return { worker, script, clock: worker.clock };
}

/** Makes the provider refuse refresh tokens, and nothing else. */
function refuseRefreshTokens(worker: Worker, script: Script): void {
  script.answers = {
    '/token': async () =>
      tokenRequests(worker).at(-1) === 'refresh_token'
        ? refusal('invalid_grant')
        : Response.json(await worker.provider.tokenAnswer()),
  };
}

const tokenRequests = (worker: Worker) => worker.sent('grant_type');

test('a session without a refresh token is renewed silently, as the same user', async () => {
  const { worker } = await stale({ refresh_token: undefined });
  worker.silence.answer = worker.provider.approve;
  await worker.rest();
  const idToken = (await worker.held()).session?.idToken;
  await worker.open();
  await expect.poll(() => tokenRequests(worker)).toEqual(['authorization_code', 'authorization_code']);
  expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
  const asked = new URL(worker.silence.urls[0] ?? '').searchParams;
  expect(asked.get('login_hint')).toBe('ada@example.com');
  expect(asked.get('id_token_hint')).toBe(idToken);
  expect(worker.windows).toHaveLength(1);
});

test('a refused refresh token is replaced silently', async () => {
  const { worker, script } = await stale();
  refuseRefreshTokens(worker, script);
  worker.silence.answer = worker.provider.approve;
  script.token = { refresh_token: 'refresh-2' };
  await worker.open();
  await expect
    .poll(() => tokenRequests(worker))
    .toEqual(['authorization_code', 'refresh_token', 'authorization_code']);
  // The new tokens are stored.
  await worker.rest();
  expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
  await worker.signOut();
  await expect.poll(worker.revoked).toEqual(['refresh-2']);
});

const pageFails = () => Promise.reject(new Error('Authorization page could not be loaded.'));
const browserCloses = () => Promise.reject(new Error('The browser context has been shut down.'));
const pageAsks = () => Promise.reject(new Error('User interaction required.'));
const declines =
  (error: string) =>
  ({ provider }: Worker) =>
  (url: string) =>
    provider.decline(url, error);

const withoutIssuer = (worker: Worker) => (url: string) =>
  declines('login_required')(worker)(url).replace(/[?&]iss=[^&]*/, '');
const withOtherState = (worker: Worker) => (url: string) =>
  declines('login_required')(worker)(url).replace(/state=[^&]*/, 'state=other');
const sayBareWord = (url: string) => `${new URL(url).searchParams.get('redirect_uri')}#login_required`;

const withoutToken: Script['token'] = { refresh_token: undefined };
const stays = (code: string) => ({ status: 'signed-in', problem: { code } });

test.each<[string, string, Script['token'], (worker: Worker) => Worker['silence']['answer'], object]>([
  ['a refused refresh token', 'login_required', {}, declines('login_required'), expired],
  ['a refused refresh token', 'a page', {}, () => pageAsks, expired],
  ['a refused refresh token', 'a page that fails', {}, () => pageFails, stays('sign-in-page-failed')],
  ['a refused refresh token', 'a browser that closes', {}, () => browserCloses, stays('interrupted')],
  ['a refused refresh token', 'access_denied', {}, declines('access_denied'), expired],
  ['no refresh token', 'login_required', withoutToken, declines('login_required'), expired],
  ['no refresh token', 'a page', withoutToken, () => pageAsks, expired],
  ['no refresh token', 'invalid_request', withoutToken, declines('invalid_request'), expired],
  ['no refresh token', 'a page that fails', withoutToken, () => pageFails, stays('sign-in-page-failed')],
  ['no refresh token', 'server_error', withoutToken, declines('server_error'), stays('provider-unreachable')],
  // https://github.com/django-oauth/django-oauth-toolkit/issues/1846
  ['no refresh token', 'login_required without the issuer', withoutToken, withoutIssuer, expired],
  // https://github.com/nemarOrg/orcid-mock
  ['no refresh token', 'the bare word of ORCID', withoutToken, () => sayBareWord, expired],
  [
    'no refresh token',
    'login_required with another state',
    withoutToken,
    withOtherState,
    stays('response-rejected'),
  ],
])('a session with %s that meets %s at its silent renewal', async (_token, _answer, token, toAnswer, end) => {
  const { worker, script } = await stale(token);
  refuseRefreshTokens(worker, script);
  worker.silence.answer = toAnswer(worker);
  const reason = end === expired ? 'signed-out' : 'renewal-failed';
  await expect(worker.fetch(apiOrigin)).rejects.toMatchObject({ reason });
  await worker.expectSession(end);
});

// OneLogin does so: https://github.com/onelogin/onelogin-oidc-node/issues/7
test('a provider that refuses every ID token as a hint is asked once more without it', async () => {
  const { worker } = await stale({ refresh_token: undefined });
  worker.silence.answer = (url) =>
    new URL(url).searchParams.has('id_token_hint')
      ? worker.provider.decline(url, 'login_required')
      : worker.provider.approve(url);
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
  const hints = worker.silence.urls.map((url) => [
    new URL(url).searchParams.has('id_token_hint'),
    new URL(url).searchParams.get('login_hint'),
  ]);
  expect(hints).toEqual([
    [true, 'ada@example.com'],
    [false, 'ada@example.com'],
  ]);
});

test("a refused refresh token and another user at the provider end the session and revoke the other user's token", async () => {
  const { worker, script } = await stale();
  refuseRefreshTokens(worker, script);
  script.claims = { sub: 'eve' };
  script.token = { refresh_token: 'refresh-eve' };
  worker.silence.answer = worker.provider.approve;
  await worker.open();
  await worker.expectSession(expired);
  await expect.poll(worker.revoked).toEqual(['refresh-eve']);
});

test('a session without a refresh token stays in Firefox, which says that the page asks, while the provider cannot be reached', async () => {
  const { worker, script, clock } = await stale({ refresh_token: undefined }, 'firefox');
  worker.silence.answer = worker.silence.cannotLoad;
  script.answers = { '/authorize': () => Promise.reject(new TypeError('NetworkError')) };
  await worker.open();
  await worker.expectSession({ status: 'signed-in', problem: { code: 'provider-unreachable' } });
  delete script.answers;
  worker.silence.answer = worker.provider.approve;
  clock.nowMs += 60_000;
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
});

describe('a provider that keeps a silent request that it has refused, and answers it at the next sign-in', () => {
  /** Ada's session has expired, and she clicks to sign in. `answer` changes the first answer of the window. */
  async function signInAgain(answer: (url: URL, silentState: string) => void) {
    const { worker } = await stale({ refresh_token: undefined });
    worker.silence.answer = (url) => worker.provider.decline(url, 'login_required');
    await worker.open();
    await worker.expectSession({ status: 'signed-out' });
    const silentState = new URL(worker.silence.urls[0] ?? '').searchParams.get('state') ?? '';
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    const answerNext = async () => {
      const window = await worker.nextWindow();
      const url = new URL(worker.provider.approve(window.url));
      answer(url, silentState);
      window.redirect(url.href);
    };
    await answerNext();
    return { worker, answerNext };
  }

  const answerSilentRequest = (url: URL, silentState: string) => {
    url.searchParams.delete('code');
    url.searchParams.set('error', 'login_required');
    url.searchParams.set('state', silentState);
  };

  test('has the window open once more, and the user sees no error', async () => {
    const { worker } = await signInAgain(answerSilentRequest);
    worker.approve(await worker.nextWindow());
    expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in', problem: null });
    expect(worker.windows).toHaveLength(3);
  });

  test('has no third window', async () => {
    const { worker, answerNext } = await signInAgain(answerSilentRequest);
    await answerNext();
    expect(await worker.untilSettled()).toMatchObject({ problem: { code: 'response-rejected' } });
    expect(worker.windows).toHaveLength(3);
  });

  test('is told from one that answers with any other state', async () => {
    const { worker } = await signInAgain((url) => url.searchParams.set('state', 'x'.repeat(43)));
    expect(await worker.untilSettled()).toMatchObject({ problem: { code: 'response-rejected' } });
    expect(worker.windows).toHaveLength(2);
  });
});

// Keycloak says so if its page was open for too long: https://github.com/zmartzone/lua-resty-openidc/issues/549
describe('a provider that refuses a request that shows its page', () => {
  const late = { error: 'temporarily_unavailable', error_description: 'authentication_expired' };

  async function refuse(answer: Readonly<Record<string, string>>) {
    const worker = setUpWorker();
    const answerNext = async () => {
      const window = await worker.nextWindow();
      const url = new URL(worker.provider.approve(window.url));
      url.searchParams.delete('code');
      for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
      window.redirect(url.href);
    };
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    await answerNext();
    return { worker, answerNext };
  }

  test.each([
    ['because it was open for too long', late],
    ['because it wants to show it', { error: 'login_required' }],
  ])('%s has its window opened once more', async (_title, answer) => {
    const { worker } = await refuse(answer);
    worker.approve(await worker.nextWindow());
    expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in', problem: null });
    expect(worker.windows).toHaveLength(2);
  });

  test.each([
    [late, 'timed-out'],
    [{ error: 'interaction_required' }, 'denied'],
  ])('twice with %o has no third window, and the problem is %s', async (answer, code) => {
    const { worker, answerNext } = await refuse(answer);
    await answerNext();
    expect(await worker.untilSettled()).toMatchObject({ problem: { code } });
    expect(worker.windows).toHaveLength(2);
  });

  test('because the user declined has no second window', async () => {
    const { worker } = await refuse({
      error: 'consent_required',
      error_description: 'AADSTS65004: declined',
    });
    expect(await worker.untilSettled()).toMatchObject({ problem: { code: 'cancelled' } });
    expect(worker.windows).toHaveLength(1);
  });
});

/** A session that began some hours ago at a provider whose refresh tokens expire a day after the sign-in. */
async function after(hours: number, accessTokenSeconds = 86_400, given: Partial<typeof scripted> = {}) {
  const script: Script = { token: { expires_in: accessTokenSeconds }, claims: { groups: ['staff'] } };
  const lasting = { ...scripted, refreshTokenSeconds: 86_400, apiOrigins: [apiOrigin], ...given };
  const worker = setUpWorker({ script, providers: [lasting] });
  await worker.signIn();
  worker.clock.nowMs += hours * 3_600_000;
  return { worker, script, clock: worker.clock };
}

test.each([
  ['before they expire', 19, 86_400],
  ['also after the clock was set back by a year', -365 * 24, 3 * 365 * 86_400],
])('refresh tokens with a fixed lifetime are replaced silently %s, once', async (_when, hours, lifetime) => {
  const { worker, script } = await after(hours, lifetime);
  script.token = { refresh_token: 'refresh-2', expires_in: lifetime };
  worker.silence.answer = worker.provider.approve;
  await worker.open();
  await expect.poll(() => tokenRequests(worker)).toEqual(['authorization_code', 'authorization_code']);
  await worker.rest();
  await worker.reopen();
  await worker.signOut();
  await expect.poll(() => worker.revoked().toSorted()).toEqual(['refresh-1', 'refresh-2']);
  expect(worker.silence.urls).toHaveLength(1);
});

test('a good refresh token stays in use when silent sign-in ahead of time fails', async () => {
  const { worker, script } = await after(19, 300);
  script.token = { id_token: undefined };
  worker.silence.answer = () => pageAsks();
  await worker.open();
  await expect.poll(() => tokenRequests(worker)).toEqual(['authorization_code', 'refresh_token']);
  await worker.rest();
  await worker.expectSession({ status: 'signed-in', problem: null });
  await worker.signOut();
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
});

// Strict providers issue a refresh token only when the user agrees, and none for `prompt=none`.
test('a good refresh token stays beside new access tokens when silent sign-in ahead of time brings none, and it is tried once', async () => {
  const { worker, script, clock } = await after(19, 300);
  const answerWith = (members: object) => async () =>
    Response.json({ ...(await worker.provider.tokenAnswer()), ...members });
  script.answers = { '/token': answerWith({ refresh_token: undefined, access_token: 'silent' }) };
  worker.silence.answer = worker.provider.approve;
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
  expect(tokenRequests(worker)).toEqual(['authorization_code', 'authorization_code']);
  script.answers = { '/token': answerWith({ id_token: undefined, access_token: 'renewed' }) };
  for (let times = 0; times < 8; times += 1) {
    clock.nowMs += 30 * 60_000;
    expect((await worker.fetch(apiOrigin)).status).toBe(200);
  }
  expect(worker.silence.urls).toHaveLength(1);
  expect(worker.sent('refresh_token').length).toBeGreaterThan(0);
  await worker.signOut();
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
});

test('a user who is no longer allowed is signed out by silent sign-in ahead of time, and the tokens are revoked', async () => {
  const { worker, script } = await after(19, 86_400, { allowed: { groups: ['staff'] } });
  script.token = { refresh_token: 'refresh-2' };
  script.claims = { groups: ['guests'] };
  worker.silence.answer = worker.provider.approve;
  await worker.open();
  await worker.expectSession({ status: 'signed-out', problem: { code: 'not-permitted' } });
  await expect.poll(() => worker.revoked().toSorted()).toEqual(['refresh-1', 'refresh-2']);
});

test('silent sign-in that the browser refuses beside the flow of another extension is tried again every ten seconds', async () => {
  const { worker, clock } = await stale({ refresh_token: undefined });
  worker.silence.answer = () => Promise.reject(new Error('Only one web auth flow is allowed at a time.'));
  for (let tries = 1; tries <= 3; tries += 1) {
    await expect(worker.fetch(apiOrigin)).rejects.toMatchObject({ reason: 'renewal-failed' });
    await expect(worker.fetch(apiOrigin)).rejects.toMatchObject({ reason: 'renewal-failed' });
    expect(worker.silence.urls).toHaveLength(tries);
    clock.nowMs += 10_000;
  }
  worker.silence.answer = worker.provider.approve;
  expect((await worker.fetch(apiOrigin)).status).toBe(200);
  expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
});

test('silent sign-in ahead of time is not tried again by the next worker within ten minutes', async () => {
  const { worker, clock } = await after(19);
  await worker.open();
  await expect.poll(() => worker.silence.urls).toHaveLength(1);
  await worker.rest();
  for (const passedMs of [0, 60_000, 9 * 60_000 - 1]) {
    clock.nowMs += passedMs;
    worker.restartWorker();
    await worker.fetch(apiOrigin);
  }
  expect(worker.silence.urls).toHaveLength(1);
  clock.nowMs += 1;
  await worker.fetch(apiOrigin);
  expect(worker.silence.urls).toHaveLength(2);
});

// SAML behind a provider answers by a form that submits itself; others by a refresh or a script.
describe('a provider that answers silently some time after its first page has loaded', () => {
  const late = ({ silence, provider }: Worker) => silence.late(provider.approve, 3_000);

  test('renews a session without a refresh token in Chromium', async () => {
    const { worker } = await stale({ refresh_token: undefined }, 'chromium');
    worker.silence.answer = late(worker);
    await worker.open();
    await expect.poll(() => tokenRequests(worker)).toEqual(['authorization_code', 'authorization_code']);
    expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
  });

  test('is given less time by Chromium than by the worker', async () => {
    const { worker } = await stale({ refresh_token: undefined }, 'chromium');
    let limitMs = Infinity;
    worker.silence.answer = (url, { timeoutMsForNonInteractive = Infinity }) => {
      limitMs = timeoutMsForNonInteractive;
      return worker.provider.approve(url);
    };
    await worker.open();
    await expect.poll(() => limitMs).toBeLessThan(15_000);
  });

  test('signs the user in automatically in Chromium', async () => {
    const worker = setUpWorker({ autoSignIn: 'popup', manner: 'chromium' });
    worker.silence.answer = late(worker);
    await worker.open();
    await worker.expectSession({ status: 'signed-in' });
  });
});

test('a silent page that fails is a reason to ask whether the provider does', async () => {
  const { worker, script } = await stale({}, 'chromium');
  refuseRefreshTokens(worker, script);
  worker.silence.answer = () => pageFails();
  script.answers = { ...script.answers, '/authorize': () => new Response('', { status: 502 }) };
  await worker.open();
  await worker.expectSession(stays('provider-unreachable'));
});
