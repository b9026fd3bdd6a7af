// An API that wants the user to confirm who they are (RFC 9470), or to allow more (RFC 6750), before it answers.

import { describe, expect, test } from 'vitest';
import { answerChallenge } from '../../src/bridge/session/request-scope.ts';
import { adaIsSignedIn, signedIn as signIn, type WorkerSetup, type Worker } from '../support/worker-setup.ts';
import { FakeObserver, toView, adaSignedIn } from '../support/fake-observer.ts';
import { apiOrigin, payOrigin } from '../support/scripted-api.ts';
import {
  plainSettings,
  plainToken,
  provider as scripted,
  type Script,
} from '../support/scripted-provider.ts';
import type { ChallengeError } from '../../src/session/commands.ts';
import type { SignedIn } from '../../src/session/view.ts';

const pay = { name: 'Acme Payments', origins: [payOrigin], scope: 'pay', resource: null, audience: null };
const provider = { ...scripted, apiOrigins: [apiOrigin], apis: [pay] };

const stepUpError = 'insufficient_user_authentication';
const wanted = `error="${stepUpError}"`;
const challenge = `Bearer ${wanted}, acr_values="mfa phr", max_age="300"`;
const demanding = (header: string, code = 401) =>
  new Response('{"bills":null}', { status: code, headers: { 'www-authenticate': header } });

/** Ada is signed in, and the API demands more. */
async function signedIn(script: Script = {}, setup: WorkerSetup = {}) {
  const scene = await signIn(script, { providers: [provider], ...setup });
  const { worker, clock } = scene;
  clock.nowMs += 60_000;
  worker.api.answer = () => demanding(challenge);
  script.token = { access_token: 'access-2', refresh_token: 'refresh-2', ...script.token };
  return scene;
}

const ask = (worker: Worker, header = challenge, api = payOrigin, error: ChallengeError = stepUpError) =>
  worker.send({ type: 'answer-challenge', error, challenge: header, api });
const parametersOf = ({ url }: { readonly url: string }) => Object.fromEntries(new URL(url).searchParams);
const seconds = (nowMs: number) => Math.floor(nowMs / 1000);

test('fetch returns the challenge unchanged, without a renewal and without a second request', async () => {
  const { worker } = await signedIn();
  const response = await worker.fetch(`${apiOrigin}/things`);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe(challenge);
  expect(await response.text()).toBe('{"bills":null}');
  expect(worker.api.calls).toHaveLength(1);
  expect(worker.sent('refresh_token')).toEqual([]);
});

test('the window asks the same user for what the API wants, and the board names the API', async () => {
  const { worker, script, clock } = await signedIn();
  expect(await ask(worker)).toEqual({ ok: true });
  const window = await worker.nextWindow();
  expect(parametersOf(window)).toMatchObject({
    acr_values: 'mfa phr',
    max_age: '300',
    login_hint: 'ada@example.com',
  });
  expect(worker.readBoard()?.session).toMatchObject({
    status: 'signing-in',
    apiName: 'Acme Payments',
    order: { type: 'step-up', acrValues: 'mfa phr', maxAgeSeconds: 300, api: payOrigin },
    before: { status: 'signed-in' },
  });
  script.claims = { acr: 'phr', auth_time: seconds(clock.nowMs) - 200 };
  worker.approve(window);
  await worker.expectSession(adaIsSignedIn);
  worker.api.answer = () => new Response();
  await worker.fetch(`${apiOrigin}/things`);
  expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-2']);
});

test('an API without a name of its own is named as its provider', async () => {
  const { worker } = await signedIn();
  await ask(worker, challenge, apiOrigin);
  expect(worker.readBoard()?.session).toMatchObject({ apiName: 'Scripted provider' });
});

describe('the session stays as it was', () => {
  const kept = async (worker: Worker, problem: object) => {
    await worker.expectSession({ ...adaIsSignedIn, problem });
    worker.api.answer = () => new Response();
    await worker.fetch(`${apiOrigin}/things`);
    expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-1']);
  };

  test.each<[string, (nowSeconds: number) => Record<string, unknown>, RegExp]>([
    ['names none of the contexts', (now) => ({ acr: 'pwd', auth_time: now }), /\[acr\]/],
    ['names no context', (now) => ({ auth_time: now }), /\[acr\]/],
    ['is of an older authentication', (now) => ({ acr: 'mfa', auth_time: now - 1000 }), /\[auth_time\]/],
    ['does not say when it was', () => ({ acr: 'mfa', auth_time: undefined }), /auth_time/],
  ])('if the new ID token %s', async (_title, claims, detail) => {
    const { worker, script, clock } = await signedIn();
    await ask(worker);
    script.claims = claims(seconds(clock.nowMs));
    worker.approve(await worker.nextWindow());
    await kept(worker, { code: 'response-rejected', detail: expect.stringMatching(detail) });
    // It waits for the end of the session, whose grant it may belong to.
    expect((await worker.held()).pendingRevocations.map(({ token }) => token)).toEqual(['refresh-2']);
  });

  test('if another user signs in', async () => {
    const { worker, script, clock } = await signedIn();
    await ask(worker);
    script.claims = { sub: 'grace', acr: 'mfa', auth_time: seconds(clock.nowMs) };
    worker.approve(await worker.nextWindow());
    await kept(worker, { code: 'denied', detail: expect.stringContaining('user') });
  });

  test('if the user closes the window, who can try again', async () => {
    const { worker } = await signedIn();
    await ask(worker);
    (await worker.nextWindow()).close();
    await kept(worker, { code: 'cancelled', order: { type: 'step-up' } });
    const { problem } = worker.session() as SignedIn;
    await worker.send(problem!.order!);
    expect(parametersOf(await worker.nextWindow())).toMatchObject({ acr_values: 'mfa phr', max_age: '300' });
  });
});

test("an API's challenge never lowers what the configuration demands", async () => {
  const strict = { ...provider, acrValues: 'phr' };
  const { worker } = await signedIn({ claims: { acr: 'phr' } }, { providers: [strict] });
  await ask(worker, `Bearer ${wanted}, acr_values="pwd"`);
  await worker.expectSession({ ...adaIsSignedIn, problem: { code: 'not-permitted' } });
  expect(worker.windows).toHaveLength(1);
  worker.api.answer = () => new Response();
  await worker.fetch(`${apiOrigin}/things`);
  expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-1']);
});

test("an API's challenge can't name the scope of another API, or that of the sign-in", async () => {
  const mail = { ...pay, name: 'Acme Mail', origins: ['https://mail.example'], scope: 'mail.read' };
  const { worker } = await signedIn({}, { providers: [{ ...provider, apis: [pay, mail] }] });
  const demand = (scope: string, api: string) =>
    ask(worker, `Bearer error="insufficient_scope", scope="${scope}"`, api, 'insufficient_scope');
  const refused = { ok: false, problem: { code: 'not-permitted' } };
  expect(await demand('mail.read', payOrigin)).toMatchObject(refused);
  expect(await demand('profile', payOrigin)).toMatchObject(refused);
  expect(await demand('mail.read pay', apiOrigin)).toMatchObject(refused);
  expect(worker.windows).toHaveLength(1);
  expect(worker.session()).toMatchObject(adaIsSignedIn);
});

test('a step-up whose window the browser refuses is not made up for by a code, which would prove nothing', async () => {
  const metadata = { device_authorization_endpoint: `${scripted.issuer}/device` };
  const { worker } = await signedIn({ metadata }, { providers: [{ ...provider, deviceFlow: 'fallback' }] });
  await ask(worker);
  (await worker.nextWindow()).fail("Couldn't create a browser window.");
  await worker.expectSession({ ...adaIsSignedIn, problem: { code: 'not-supported' } });
  expect(worker.count('/device')).toBe(0);
});

test('insufficient_scope of an API asks for the scope that it names', async () => {
  const { worker } = await signedIn();
  await ask(
    worker,
    'Bearer error="insufficient_scope", scope=" pay.write  pay"',
    payOrigin,
    'insufficient_scope',
  );
  expect(worker.readBoard()?.session).toMatchObject({
    order: { type: 'request-scope', scope: 'pay.write pay', api: payOrigin },
  });
  expect(parametersOf(await worker.nextWindow())['scope']).toMatch(/ pay pay\.write$/);
});

test.each<[ChallengeError, string]>([
  ['insufficient_scope', 'request-scope'],
  [stepUpError, 'step-up'],
])('of two challenges the one with %s is answered if the feature asks for that', async (error, type) => {
  const { worker } = await signedIn();
  const other = 'Bearer error="insufficient_scope", scope="pay.write"';
  await ask(
    worker,
    type === 'step-up' ? `${other}, ${challenge}` : `${challenge}, ${other}`,
    payOrigin,
    error,
  );
  expect(worker.readBoard()?.session).toMatchObject({ order: { type, api: payOrigin } });
});

describe('the worker refuses', () => {
  test.each<[string, string, string?]>([
    ['a challenge that asks for nothing', 'Bearer error="invalid_token"'],
    ['an API of no configuration', challenge, 'https://evil.example'],
    ['a challenge of 10,000 characters', `${challenge}, x="${'x'.repeat(10_000)}"`],
  ])('%s', async (_title, header, api) => {
    const { worker } = await signedIn();
    expect(await ask(worker, header, api)).toMatchObject({ ok: false, problem: { code: 'unexpected' } });
    expect(worker.windows).toHaveLength(1);
    await worker.expectSession(adaIsSignedIn);
  });

  test('a step-up where no ID token could prove it', async () => {
    const plain = { ...provider, ...plainSettings };
    const { worker } = await signedIn({ token: plainToken }, { providers: [plain] });
    expect(await ask(worker)).toMatchObject({ ok: false, problem: { code: 'not-supported' } });
  });

  test('a step-up of a sign-in with a code', async () => {
    const { worker } = await signedIn();
    worker.restartWorker({ deviceFlow: 'only' });
    expect(await ask(worker)).toMatchObject({ ok: false, problem: { code: 'not-supported' } });
  });
});

test.each<[string, Response, RegExp]>([
  ['without the challenge', new Response(null, { status: 401 }), /has no WWW-Authenticate header with the/],
  ['of another error', demanding('Bearer error="insufficient_scope"'), /has no WWW-Authenticate header with/],
  ['with one of 10,000 characters', demanding(`${challenge}${' '.repeat(9_999)}x`), /longer than 4096/],
])('requestStepUp rejects a response %s, and asks no worker', async (_title, response, message) => {
  const observer = new FakeObserver(toView(adaSignedIn));
  const answered = answerChallenge(observer, response, stepUpError);
  await expect(answered).rejects.toThrow(message);
  expect(observer.commands).toEqual([]);
});

// Many providers issue a refresh token only when the user agrees for the first time.
test('a step-up that brings no refresh token keeps the one that the user has, and leaves no token alive', async () => {
  const { worker, script, clock } = await signedIn();
  await ask(worker);
  script.token = { access_token: 'access-2', refresh_token: undefined };
  script.claims = { acr: 'mfa', auth_time: seconds(clock.nowMs) };
  worker.approve(await worker.nextWindow());
  await worker.untilSettled();
  worker.api.answer = () => new Response('paid');
  script.token = {};
  script.claims = { acr: 'mfa', nonce: undefined };
  expect((await worker.fetch(`${payOrigin}/bills`)).status).toBe(200);
  clock.nowMs += 2 * 3_600_000;
  expect((await worker.fetch(`${apiOrigin}/things`)).status).toBe(200);
  expect(worker.sent('refresh_token')).toContain('refresh-1');
  await worker.expectSession(adaIsSignedIn);
});

// A feature that asks each time, and an API whose clock is wrong or that wants what the other one doesn't accept.
test('an API that is never satisfied costs one window for each demand, and leaves one session and no token alive', async () => {
  const { worker, script, clock } = await signedIn();
  const times = 4;
  for (let at = 2; at < 2 + times; at += 1) {
    script.token = { access_token: `access-${at}`, refresh_token: `refresh-${at}` };
    script.claims = { acr: at % 2 === 0 ? 'mfa' : 'phr', auth_time: seconds(clock.nowMs) };
    await ask(
      worker,
      `Bearer ${wanted}, acr_values="${script.claims['acr'] as string}"`,
      at % 2 === 0 ? payOrigin : apiOrigin,
    );
    worker.approve(await worker.nextWindow());
    await worker.untilSettled();
    worker.api.answer = () => demanding(challenge);
    expect((await worker.fetch(`${apiOrigin}/things`)).status).toBe(401);
    await worker.expectSession(adaIsSignedIn);
  }
  expect(worker.windows).toHaveLength(1 + times);
  expect(worker.api.calls).toHaveLength(times);
  expect(worker.sent('refresh_token')).toEqual([]);
  await worker.signOut();
  const issued = Array.from({ length: times + 1 }, (_, at) => `refresh-${at + 1}`);
  await expect.poll(() => worker.revoked().toSorted()).toEqual(issued.toSorted());
});
