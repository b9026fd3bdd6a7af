// The feature's fetch, from its page through the whole worker to an API in memory.

import { createHash } from 'node:crypto';
import { EmbeddedJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { createAuthorizedFetch } from '../../../src/background/feature/fetch.ts';
import type { ProviderAccess } from '../../../src/background/provider/provider.ts';
import { emptyRecord } from '../../../src/background/record/record.ts';
import { createCurrentUser } from '../../../src/background/feature/feature-worker.ts';
import type { AccessTokenSet } from '../../../src/oidc/tokens.ts';
import { createReadSession } from '../../../src/background/session/usable.ts';
import { signedOut, toSignedIn } from '../../../src/session/view.ts';
import { deferred } from '../../support/deferred.ts';
import { hour, setUpWorker, type Worker, type WorkerSetup } from '../../support/worker-setup.ts';
import { isLong } from '../../support/extent.ts';
import {
  createScriptedProvider,
  issuer,
  provider as scripted,
  type Script,
} from '../../support/scripted-provider.ts';
import { apiOrigin, heldBack, redirectedTo } from '../../support/scripted-api.ts';
import { toSession } from '../../support/stored-session.ts';

type Scene = Awaited<ReturnType<typeof signedIn>>;

const provider = { ...scripted, apiOrigins: [apiOrigin, 'https://files.example'] };
const things = `${apiOrigin}/things`;
/** Enough that a second renewal would be seen. */
const many = isLong ? 1000 : 20;
const picture = 'https://pictures.example/ada.png';

/** A provider that numbers its access tokens, and a worker with a clock that the test moves. */
function setUp(given: Script = {}, setup: WorkerSetup = {}) {
  let issued = 0;
  const token = {
    ...given.token,
    get access_token() {
      issued += 1;
      return `access-${issued}`;
    },
  };
  // With a picture the profile is complete, so UserInfo is not requested.
  const script: Script = { claims: { picture }, ...given, token };
  const worker = setUpWorker({ providers: [provider], ...setup, script });
  return { worker, script, clock: worker.clock };
}

async function signedIn(given: Script = {}, setup: WorkerSetup = {}) {
  const scene = setUp(given, setup);
  expect((await scene.worker.signIn()).session.status).toBe('signed-in');
  // A renewed ID token has no nonce.
  scene.script.claims = { ...given.claims, nonce: undefined };
  return scene;
}

const demanding = (challenge: string) =>
  new Response('no', { status: 401, headers: { 'www-authenticate': challenge } });
const refuse = () => demanding('Bearer error="invalid_token"');

/** An API that accepts these tokens and no others. */
const accepting =
  (...tokens: string[]) =>
  ({ token }: { token: string | null }) =>
    tokens.includes(token ?? '') ? new Response('yes') : refuse();

const tokensSent = ({ api }: Worker) => api.calls.map(({ token }) => token);
const renewals = (worker: Worker) => worker.sent('refresh_token').length;
const statusOf = async (answer: Promise<Response>) => (await answer).status;

test('a request is sent with the token, and its response comes back', async () => {
  const { worker } = await signedIn();
  worker.api.answer = () => new Response('the answer', { status: 202, headers: { 'x-count': '7' } });
  const answer = await worker.fetch(`${things}?page=2`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain', 'x-mine': 'yes' },
    body: 'the body',
  });
  expect(answer).toMatchObject({ status: 202, url: `${things}?page=2` });
  expect([answer.headers.get('x-count'), await answer.text()]).toEqual(['7', 'the answer']);
  expect(worker.api.calls).toMatchObject([{ url: `${things}?page=2`, method: 'PUT', body: 'the body' }]);
  expect(Object.fromEntries(worker.api.calls[0]?.headers ?? [])).toMatchObject({
    authorization: 'Bearer access-1',
    'content-type': 'text/plain',
    'x-mine': 'yes',
  });
});

test('a request carries no cookie and no referrer, and a cached response is revalidated', async () => {
  const { worker } = await signedIn();
  await worker.fetch(things, { credentials: 'include', referrerPolicy: 'unsafe-url' });
  await worker.fetch(things, { cache: 'reload', redirect: 'error', integrity: 'sha256-abc' });
  expect(worker.api.calls.map(({ init }) => init)).toMatchObject([
    { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-cache', redirect: 'follow' },
    { credentials: 'omit', cache: 'reload', redirect: 'error', integrity: 'sha256-abc' },
  ]);
});

test.each<[string, string, string, RegExp, HeadersInit?]>([
  [
    'the provider itself',
    `${issuer}/userinfo`,
    'origin-not-allowed',
    /^https:\/\/provider\.example is not one/,
  ],
  ['another host', 'https://evil.example/', 'origin-not-allowed', /"apiOrigins" of the provider "scripted"/],
  ['another port', 'https://api.example:8443/', 'origin-not-allowed', /8443/],
  [
    'a data URL',
    'data:text/plain,hello',
    'origin-not-allowed',
    /add it to the configuration and build again/,
  ],
  ['a token of its own', things, 'authorization-header', /"Authorization"/, { authorization: 'Bearer mine' }],
  ['a DPoP proof of its own', things, 'authorization-header', /"DPoP"/, { dpop: 'mine' }],
])('a request with %s is refused before it is sent', async (_title, url, reason, message, headers = {}) => {
  const { worker } = await signedIn();
  const before = worker.provider.requests.length;
  await expect(worker.fetch(url, { headers })).rejects.toMatchObject({
    name: 'FetchRefused',
    reason,
    message: expect.stringMatching(message),
  });
  expect(worker.api.calls).toEqual([]);
  expect(worker.provider.requests).toHaveLength(before);
});

test('every request is refused while no one is signed in', async () => {
  const { worker } = setUp();
  await expect(worker.fetch(things)).rejects.toMatchObject({ reason: 'signed-out' });
  await worker.signIn();
  await worker.signOut();
  await expect(worker.fetch(things)).rejects.toMatchObject({ reason: 'signed-out' });
  expect(worker.api.calls).toEqual([]);
});

test.each([
  ['with stale tokens', hour, many],
  ['that are all answered 401', 0, 2 * many],
])('many requests %s renew the tokens once, and none fails', async (_title, passedMs, calls) => {
  const { worker, clock } = await signedIn();
  clock.nowMs += passedMs;
  worker.api.answer = accepting('access-2');
  const answers = await Promise.all(Array.from({ length: many }, () => worker.fetch(things)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(renewals(worker)).toBe(1);
  expect(worker.api.calls).toHaveLength(calls);
});

test('a 401 renews the tokens and sends the request again, its body as well', async () => {
  const { worker } = await signedIn();
  worker.api.answer = accepting('access-2');
  const answer = await worker.fetch(things, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
  expect(await answer.text()).toBe('yes');
  expect(worker.api.calls).toMatchObject([
    { method: 'POST', token: 'access-1', body: 'a=b' },
    { method: 'POST', token: 'access-2', body: 'a=b' },
  ]);
  expect(renewals(worker)).toBe(1);
});

test('a request with a late 401 uses the tokens that another request has renewed', async () => {
  const { worker } = await signedIn();
  const late = deferred<Response>();
  worker.api.answer = (call, index) => (index === 0 ? late.promise : accepting('access-2')(call));
  const slow = worker.fetch(things);
  await expect.poll(() => worker.api.calls).toHaveLength(1);
  expect(await statusOf(worker.fetch(things))).toBe(200);
  late.resolve(refuse());
  expect(await statusOf(slow)).toBe(200);
  expect(tokensSent(worker)).toEqual(['access-1', 'access-1', 'access-2', 'access-2']);
  expect(renewals(worker)).toBe(1);
});

test('a second 401 is the response, and an API that refuses every token causes no more renewals', async () => {
  const { worker, clock } = await signedIn();
  worker.api.answer = accepting();
  const answer = await worker.fetch(things);
  expect([answer.status, await answer.text()]).toEqual([401, 'no']);
  expect(answer.headers.get('www-authenticate')).toContain('invalid_token');
  expect(tokensSent(worker)).toEqual(['access-1', 'access-2']);

  expect(await statusOf(worker.fetch(things))).toBe(401);
  expect(tokensSent(worker)).toEqual(['access-1', 'access-2', 'access-2']);
  expect(renewals(worker)).toBe(1);

  clock.nowMs += hour;
  expect(await statusOf(worker.fetch(things))).toBe(401);
  expect(tokensSent(worker).slice(3)).toEqual(['access-3', 'access-4']);
  expect(worker.session()?.status).toBe('signed-in');
});

test('a step-up demand for a renewed token counts as no refusal: a later one renews the tokens', async () => {
  const { worker } = await signedIn();
  const demand = 'Bearer error="insufficient_user_authentication"';
  worker.api.answer = ({ token }) => (token === 'access-1' ? refuse() : demanding(demand));
  expect((await worker.fetch(things)).headers.get('www-authenticate')).toBe(demand);
  worker.api.answer = accepting('access-3');
  expect(await statusOf(worker.fetch(things))).toBe(200);
  expect(tokensSent(worker)).toEqual(['access-1', 'access-2', 'access-2', 'access-3']);
});

const hangs = () => Promise.race<Response>([]);

test('a request fails offline as the platform’s fetch does, or with renewal-failed if the tokens are stale', async () => {
  const { worker, clock } = await signedIn();
  worker.network.isOnline = false;
  await expect(worker.fetch(things)).rejects.toBeInstanceOf(TypeError);
  clock.nowMs += hour;
  await expect(worker.fetch(things)).rejects.toMatchObject({
    reason: 'renewal-failed',
    message: expect.stringContaining('offline'),
  });
});

/** A response whose body has begun and not ended. */
function begun(): Response {
  return new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('the beginning')),
    }),
  );
}

const signOut = ({ worker }: Scene) => worker.signOut();

async function signInAs(subject: string, { worker, script }: Scene): Promise<void> {
  script.claims = { picture, sub: subject };
  await worker.agreeTo({ type: 'use-another-account' });
  await worker.expectSession({ status: 'signed-in', profile: { subject } });
}

test.each<[string, (scene: Scene) => Promise<unknown>]>([
  ['the user signs out', signOut],
  ['another user signs in', (scene) => signInAs('grace', scene)],
])('when %s, an open response breaks off with signed-out', async (_title, leave) => {
  const scene = await signedIn();
  const { worker } = scene;
  worker.api.answer = ({ url }) => (url === things ? hangs() : begun());
  const reader = (await worker.fetch(`${things}/begun`)).body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  const waiting = worker.fetch(things).catch((error: unknown) => error);
  await expect.poll(() => worker.api.calls).toHaveLength(2);

  await leave(scene);
  expect(await waiting).toMatchObject({ name: 'FetchRefused', reason: 'signed-out' });
  await expect(reader?.read()).rejects.toMatchObject({ reason: 'signed-out' });
  for (const { init } of worker.api.calls) expect(init.signal?.aborted).toBe(true);
});

test('an open response goes on when the same user signs in again', async () => {
  const scene = await signedIn();
  const { worker } = scene;
  const late = deferred<Response>();
  worker.api.answer = (_call, index) => (index === 0 ? late.promise : new Response('next'));
  const waiting = worker.fetch(things);
  await expect.poll(() => worker.api.calls).toHaveLength(1);
  await signInAs('ada', scene);
  late.resolve(new Response('late'));
  expect(await (await waiting).text()).toBe('late');
  await worker.fetch(things);
  expect(tokensSent(worker)).toEqual(['access-1', 'access-2']);
});

test('a request is refused while the vault already holds the next user’s tokens', async () => {
  const toProfile = (subject: string) => ({ ...toSession().profile, providerId: provider.id, subject });
  const currentUser = createCurrentUser();
  const ada = toSignedIn(toProfile('ada'), 0);
  currentUser.follow(ada, signedOut, ada);
  const { client, requests } = createScriptedProvider({ provider });
  const access = { client } as unknown as ProviderAccess;
  const providers = new Map([[provider.id, access]]);
  const { tokens } = toSession();
  const session = toSession({
    profile: toProfile('grace'),
    issuer,
    clientId: provider.clientId,
    tokens: { ...tokens, idToken: 'id-token' } as AccessTokenSet,
  });
  const read = () => Promise.resolve({ ...emptyRecord, session });
  const find = createReadSession({ read }, providers, { inForce: { managed: null } });
  expect((await find())?.session).toBe(session);
  const authorizedFetch = createAuthorizedFetch({
    start: () => Promise.resolve(),
    currentUser,
    providers,
    readSession: find,
    renewal: { getFresh: () => find(), replace: () => find() },
    records: { dispatchOrHold: () => Promise.resolve(emptyRecord) },
    journal: { note: () => undefined },
  });
  await expect(authorizedFetch(new Request(things))).rejects.toMatchObject({ reason: 'signed-out' });
  expect(requests).toEqual([]);
});

test('a response is accepted after a redirect to another configured API', async () => {
  const { worker } = await signedIn();
  worker.api.answer = () => redirectedTo('https://files.example/thing', new Response('the file'));
  const answer = await worker.fetch(things);
  expect(answer).toMatchObject({ url: 'https://files.example/thing', redirected: true });
  expect(await answer.text()).toBe('the file');
});

test('a 401 after a redirect to another origin does not renew the tokens', async () => {
  const { worker } = await signedIn();
  worker.api.answer = () => redirectedTo('https://files.example/thing', refuse());
  expect(await statusOf(worker.fetch(things))).toBe(401);
  expect(renewals(worker)).toBe(0);
  worker.api.answer = (call) => redirectedTo(`${things}/`, accepting('access-2')(call));
  expect(await statusOf(worker.fetch(things))).toBe(200);
  expect(renewals(worker)).toBe(1);
});

test('a response after a redirect to a foreign origin is refused and not read', async () => {
  const { worker } = await signedIn();
  const cancelled = deferred<void>();
  const body = new ReadableStream({ cancel: () => cancelled.resolve() });
  worker.api.answer = () => redirectedTo(`${issuer}/userinfo`, new Response(body));
  await expect(worker.fetch(things)).rejects.toMatchObject({
    reason: 'redirect-refused',
    message: expect.not.stringContaining(issuer),
  });
  await cancelled.promise;
});

const withBody = { method: 'POST', body: 'x' };
const ownPolicy: WorkerSetup = { redirects: null };
/** The results of a redirect: a refusal, or a response that the browser has held back. */
const [refused, held] = ['redirect-refused', 'opaqueredirect'];

const bound: WorkerSetup = { providers: [{ ...provider, dpop: 'required' }] };

test.each<[string, RequestInit, WorkerSetup, RequestRedirect, string]>([
  ['with a body is refused in an extension with its own policy', withBody, ownPolicy, 'manual', refused],
  ['with a header of its own is refused there', { headers: { 'x-key': 'x' } }, ownPolicy, 'manual', refused],
  ['with neither is followed there', { headers: { Accept: 'text/plain' } }, ownPolicy, 'follow', held],
  ['with a body is followed where the policy keeps it to configured hosts', withBody, {}, 'follow', held],
  ['of a caller that asks for redirect: manual is passed on', { redirect: 'manual' }, {}, 'manual', held],
  ['with a DPoP proof is refused', {}, bound, 'manual', refused],
  ['with a DPoP proof and redirect: manual is passed on', { redirect: 'manual' }, bound, 'manual', held],
  ['with a DPoP proof and redirect: error is an error', { redirect: 'error' }, bound, 'error', held],
])('the redirect of a request %s', async (_what, init, setup, redirect, result) => {
  const { worker } = await signedIn({}, setup);
  worker.api.answer = heldBack;
  const answer = worker.fetch(things, init).then(
    ({ type }) => type,
    ({ reason }: { reason: string }) => reason,
  );
  expect(await answer).toBe(result);
  expect(worker.api.calls.map((call) => call.init.redirect)).toEqual([redirect]);
});

const proofs = ({ api }: Worker) => api.calls.map(({ headers }) => headers.get('dpop') ?? '');
const demandNonce = (nonce: string) =>
  new Response(null, {
    status: 401,
    headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': nonce },
  });

test('a DPoP-bound token is sent with a proof for this request and this token', async () => {
  const { worker } = await signedIn({}, bound);
  await worker.fetch(`${things}?page=2`, { method: 'POST', body: 'x' });
  expect(worker.api.calls[0]?.headers.get('authorization')).toBe('DPoP access-1');
  const { payload } = await jwtVerify(proofs(worker)[0] ?? '', EmbeddedJWK, { typ: 'dpop+jwt' });
  const ath = createHash('sha256').update('access-1').digest('base64url');
  expect(payload).toMatchObject({ htm: 'POST', htu: things, ath });
});

test.each<[string, number, (index: number) => Response]>([
  ['every nonce', 2, (index) => demandNonce(`nonce-${index}`)],
  ['every proof', 1, () => demanding('DPoP error="invalid_dpop_proof"')],
])(
  'the response of an API that rejects %s is passed on, and no token is renewed',
  async (_what, calls, answer) => {
    const { worker } = await signedIn({}, bound);
    worker.api.answer = (_call, index) => answer(index);
    expect(await statusOf(worker.fetch(things))).toBe(401);
    expect(tokensSent(worker)).toEqual(Array(calls).fill('access-1'));
    expect(renewals(worker)).toBe(0);
  },
);
