// Incremental consent: the user allows more than the configured scope in the window.

import { expect, test } from 'vitest';
import type { StartFeature } from '../../src/background/feature/feature-worker.ts';
import type { SigningIn } from '../../src/session/view.ts';
import {
  adaIsSignedIn,
  hour,
  signedIn as signIn,
  setUpWorker,
  type Worker,
} from '../support/worker-setup.ts';
import { refusal } from '../support/device-scene.ts';
import type { FakeWindow } from '../support/fake-browser.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import type { Script } from '../support/scripted-provider.ts';

const things = `${apiOrigin}/things`;
const picture = 'https://pictures.example/ada.png';
const configured = 'openid profile email offline_access';

const laterTokens = { access_token: 'access-2', refresh_token: 'refresh-2' };

/** Ada is signed in, with tokens that differ from all later ones. */
async function signedIn() {
  const scene = await signIn({ claims: { picture } });
  scene.script.token = laterTokens;
  scene.clock.nowMs += 60_000;
  return scene;
}

const ask = (worker: Worker, scope = 'notes.read') => worker.send({ type: 'request-scope', scope });
const parametersOf = ({ url }: Pick<FakeWindow, 'url'>) => new URL(url).searchParams;

/** The user agrees in the window and comes back signed in. */
async function allow(worker: Worker, scope?: string): Promise<FakeWindow> {
  expect(await ask(worker, scope)).toEqual({ ok: true });
  const window = await worker.nextWindow();
  worker.approve(window);
  await worker.expectSession({ status: 'signed-in' });
  return window;
}

test('request-scope asks the same user at the same provider for the configured scope and more', async () => {
  const { worker } = await signedIn();
  const parameters = parametersOf(await allow(worker));
  expect(Object.fromEntries(parameters)).toMatchObject({
    scope: `${configured} notes.read`,
    login_hint: 'ada@example.com',
  });
  expect(parameters.has('prompt')).toBe(false);
  await worker.expectSession(adaIsSignedIn);
  await worker.fetch(things);
  expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-2']);
});

/** Ada is signed in, and the feature's half in the worker records the scopes that it hears of. */
async function heard() {
  const grants: string[] = [];
  const startFeature: StartFeature = ({ onGrant }) => onGrant((scope) => void grants.push(scope));
  const { worker, clock } = await signIn({}, { startFeature });
  clock.nowMs += 60_000;
  return { worker, grants };
}

test('the feature’s half in the worker hears of a granted scope, and of no other sign-in', async () => {
  const { worker, grants } = await heard();
  await allow(worker);
  expect(grants).toEqual(['notes.read']);
  await worker.agreeTo({ type: 'use-another-account' });
  expect(grants).toEqual(['notes.read']);
});

test('the feature’s half in the worker hears nothing of a scope that is not granted', async () => {
  const { worker, grants } = await heard();
  await ask(worker);
  (await worker.nextWindow()).close();
  await worker.expectSession({ status: 'signed-in', problem: { code: 'cancelled' } });
  await worker.beginShown({ type: 'request-scope', scope: 'notes.read' });
  await worker.cancel();
  await worker.expectSession(adaIsSignedIn);
  await ask(worker, 'notes.write');
  (await worker.nextWindow()).appear();
  await worker.signOut();
  await worker.signIn();
  expect(grants).toEqual([]);
});

test('request-scope includes the scope of earlier requests, without duplicates', async () => {
  const { worker } = await signedIn();
  await allow(worker, 'notes.read');
  worker.restartWorker();
  const parameters = parametersOf(await allow(worker, 'notes.write notes.read email'));
  expect(parameters.get('scope')).toBe(`${configured} notes.read notes.write`);
});

test('a silent renewal requests the additional scope, and a refresh token request names no scope', async () => {
  const { worker, script, clock } = await signedIn();
  await allow(worker);
  clock.nowMs += hour;
  script.answers = { '/token': () => refusal('invalid_grant') };
  worker.silence.answer = (url) => {
    delete script.answers;
    return Promise.resolve(worker.provider.approve(url));
  };
  await worker.fetch(things);
  expect(parametersOf({ url: worker.silence.urls[0] ?? '' }).get('scope')).toBe(`${configured} notes.read`);
  expect(worker.sent('refresh_token')).toEqual(['refresh-2']);
  expect(worker.sent('scope')).toEqual([]);
});

const approve = (window: FakeWindow, worker: Worker) => worker.approve(window);

test.each<[string, Script, (window: FakeWindow, worker: Worker) => void, object]>([
  ['closes the window', {}, (window) => window.close(), { code: 'cancelled' }],
  [
    'declines',
    {},
    (window, { provider }) => window.redirect(provider.decline(window.url, 'access_denied')),
    { code: 'denied' },
  ],
  [
    'allows less',
    { token: { ...laterTokens, scope: configured } },
    approve,
    { code: 'denied', detail: 'scope: less was granted than asked for' },
  ],
  [
    'is another one',
    { claims: { picture, sub: 'grace', email: 'grace@example.com' } },
    approve,
    { code: 'denied', detail: expect.stringContaining('user') },
  ],
])('a user who %s leaves the session and its scope as they were', async (_title, change, act, problem) => {
  const { worker, script } = await signedIn();
  Object.assign(script, change);
  await ask(worker);
  act(await worker.nextWindow(), worker);
  await worker.expectSession({ ...adaIsSignedIn, problem });
  await worker.fetch(things);
  expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-1']);
  await worker.reopen();
  await worker.expectSession({ status: 'signed-in', profile: { subject: 'ada' } });
  Object.assign(script, { claims: { picture }, token: laterTokens });
  expect(parametersOf(await allow(worker, 'notes.write')).get('scope')).toBe(`${configured} notes.write`);
});

test('request-scope is rejected while no one is signed in', async () => {
  const worker = setUpWorker();
  expect(await ask(worker)).toMatchObject({ ok: false, problem: { code: 'unexpected' } });
  expect(worker.windows).toEqual([]);
});

test('two pages that request a scope at the same moment do not share one window', async () => {
  const { worker } = await signedIn();
  const replies = await Promise.all([ask(worker, 'notes.read'), ask(worker, 'notes.write')]);
  expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
  expect(worker.session()).toMatchObject({ order: { type: 'request-scope', scope: 'notes.read' } });
});

test('a second try asks for the same, and no page sees the request end in between', async () => {
  const { worker } = await signedIn();
  const first = await worker.beginShown({ type: 'request-scope', scope: 'notes.read' });
  const boards = worker.watchBoards();
  const { attempt } = worker.session() as SigningIn;
  worker.clock.nowMs += 10_000;
  await worker.send({ type: 'try-again', attempt });
  const second = await worker.nextWindow();
  expect(parametersOf(second).get('scope')).toBe(parametersOf(first).get('scope'));
  expect(boards.map((board) => board?.session)).toMatchObject([{ status: 'signing-in' }]);
  worker.approve(second);
  await worker.expectSession(adaIsSignedIn);
});
