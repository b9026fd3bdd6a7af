// A sign-out that also ends the user's session at the provider. This device does not wait for that.

import { expect, test, vi } from 'vitest';
import { maxWaitMs } from '../../src/parts/policy.ts';
import { deferred } from '../support/deferred.ts';
import { FakeManagedStorage } from '../support/fake-browser.ts';
import { policyOrigin, setUpWorker, type Worker } from '../support/worker-setup.ts';
import { issuer, type Script } from '../support/scripted-provider.ts';

const signOutEverywhere = { type: 'sign-out', everywhere: true } as const;
const metadata = { end_session_endpoint: `${issuer}/logout` };
const waiting = { status: 'signed-out', providerSession: { providerId: 'scripted', status: 'ending' } };

async function signedIn(script: Script = { metadata }): Promise<Worker> {
  const worker = setUpWorker({ script });
  await worker.signIn();
  return worker;
}

/** A user who is signed out here, with the provider's page in the window. */
async function leaving(script?: Script) {
  const worker = await signedIn(script);
  const window = await worker.beginShown(signOutEverywhere);
  return { worker, window, asked: new URL(window.url).searchParams };
}

const endsAs = (worker: Worker, status: string) =>
  worker.expectSession({ providerSession: { providerId: 'scripted', status } });

test('a sign-out everywhere signs out this device at once and sends the ID token as a hint', async () => {
  const { worker, asked } = await leaving();
  expect(worker.session()).toMatchObject(waiting);
  expect(Object.fromEntries(asked)).toEqual({
    id_token_hint: expect.stringMatching(/^ey/),
    client_id: 'client',
    post_logout_redirect_uri: expect.stringMatching(/\.chromiumapp\.org\/scripted$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test.each<[string, string, (state: string | null) => string]>([
  ['with our state', 'ended', (state) => `?state=${state}`],
  ['without the state', 'open', () => ''],
  ['with another state', 'open', () => '?state=forged'],
])("a response %s leaves the provider's session %s, and the board says so", async (_title, end, toQuery) => {
  const { worker, window, asked } = await leaving();
  window.redirect(`${asked.get('post_logout_redirect_uri')}${toQuery(asked.get('state'))}`);
  await endsAs(worker, end);
});

test('the ID token goes to the provider that has issued it, also if a policy moves the provider to other hosts meanwhile', async () => {
  const elsewhere = { id: 'scripted', clientId: 'client', issuer: policyOrigin };
  const managed = new FakeManagedStorage();
  const worker = setUpWorker({ script: { metadata }, managed });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const signed = worker.signIn();
  await worker.rest();
  await vi.advanceTimersByTimeAsync(maxWaitMs);
  await signed;
  await worker.rest();
  const stored = deferred<void>();
  worker.disk.gate = () => stored.promise;
  const signedOut = worker.send(signOutEverywhere);
  await worker.rest();
  managed.change({ version: 1, providers: [elsewhere] });
  await worker.rest();
  stored.resolve();
  await signedOut;
  await worker.rest();
  for (const { url } of worker.windows.slice(1)) expect(new URL(url).origin).toBe(issuer);
});

test("a closed window leaves the provider's session open, and the board says so once", async () => {
  const { worker, window } = await leaving();
  window.close();
  await endsAs(worker, 'open');
  await worker.open();
  await endsAs(worker, 'open');
  await worker.open();
  expect(worker.session()).toMatchObject({ status: 'signed-out', providerSession: null });
});

test('a second sign-out leaves the page open on which the first one ends the session', async () => {
  const { worker, window } = await leaving();
  await worker.send(signOutEverywhere);
  expect(window.isOpen).toBe(true);
  expect(worker.session()).toMatchObject(waiting);
});

test('a worker that dies while the page of the provider is open leaves the session there open', async () => {
  const { worker } = await leaving();
  await worker.reopen();
  await endsAs(worker, 'open');
});

test('a provider without a logout page leaves its session open', async () => {
  const worker = await signedIn({});
  await worker.send(signOutEverywhere);
  await endsAs(worker, 'open');
  expect(worker.windows).toHaveLength(1);
});

test("a new sign-in closes the window of the provider's logout before the provider has answered", async () => {
  const script: Script = { metadata };
  const { worker, window } = await leaving(script);
  await worker.showWindow();
  // The metadata are too old to be used.
  worker.clock.nowMs += 25 * 60 * 60_000;
  script.answers = { '/.well-known/openid-configuration': () => Promise.race<Response>([]) };
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  expect(window.isOpen).toBe(false);
});

const full = new Error('QuotaExceeded');

test('a worker that could not read the board opens the page of the provider where the user is signed in', async () => {
  const worker = await signedIn();
  await worker.rest();
  worker.restartWorker();
  const { get } = worker.local;
  worker.local.get = () => Promise.reject(full);
  expect(await worker.open()).toMatchObject({ ok: false });
  expect(await worker.send(signOutEverywhere)).toEqual({ ok: true });
  worker.local.get = get;
  await worker.open();
  await worker.rest();
  expect(worker.session()).toMatchObject(waiting);
  worker.windows[1]!.close();
  await endsAs(worker, 'open');
});

test('a board that cannot be written does not keep the page of the provider from opening', async () => {
  const worker = await signedIn();
  await worker.rest();
  worker.local.failure = full;
  expect(await worker.send(signOutEverywhere)).toMatchObject({ ok: false });
  worker.local.failure = null;
  await worker.rest();
  expect(worker.windows).toHaveLength(2);
  worker.windows[1]!.close();
  await worker.rest();
  await worker.open();
  await endsAs(worker, 'open');
});

test('a sign-in that ends the page of the provider is not covered by the popup', async () => {
  const { worker, window } = await leaving();
  const { popups } = worker.shown;
  await worker.begin();
  await worker.rest();
  expect([window.isOpen, worker.shown.popups]).toEqual([false, popups]);
});
