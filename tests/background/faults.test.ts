// What really happens to an extension, by number, and what must hold afterwards. A fault that only a real browser
// can make is in tests/browser/faults.test.ts; the last test sees to it that none is forgotten.

import { expect, test, vi } from 'vitest';
import { ProblemError } from '../../src/session/problem.ts';
import {
  createSigningKey,
  issuer,
  provider as scripted,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';
import { deferred } from '../support/deferred.ts';
import { ownPage } from '../support/fake-browser.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { setUpWorker, type WorkerSetup } from '../support/worker-setup.ts';

type Worker = ReturnType<typeof setUpWorker>;

const discovery = '/.well-known/openid-configuration';
const html = () =>
  new Response('<html>Please accept our terms', { headers: { 'content-type': 'text/html' } });
const status = (code: number, headers: HeadersInit = {}) => new Response('', { status: code, headers });
const hour = 3_600_000;

interface Scene {
  readonly worker: Worker;
  readonly script: Script;
  readonly clock: { nowMs: number };
}

function setUpScene(script: Script = {}, setup: WorkerSetup = {}): Scene {
  const clock = { nowMs: Date.now() };
  script.nowMs = () => clock.nowMs;
  return { worker: setUpWorker({ ...setup, script }), script, clock };
}

async function signedIn(script: Script = {}, setup: WorkerSetup = {}): Promise<Scene> {
  const scene = setUpScene(script, setup);
  expect((await scene.worker.signIn()).session.status).toBe('signed-in');
  return scene;
}

/** A sign-in that is under way, with its window on the screen. */
async function signingIn(scene: Scene = setUpScene()) {
  await scene.worker.send({ type: 'sign-in', providerId: 'scripted' });
  const window = await scene.worker.nextWindow();
  window.appear();
  return { ...scene, window };
}

const open = (worker: Worker) => worker.send({ type: 'open' });
const signOut = (worker: Worker) => worker.send({ type: 'sign-out', everywhere: false });
const sent = (worker: Worker, parameter: string) =>
  worker.provider.requests.flatMap(({ parameters }) => parameters.get(parameter) ?? []);
const count = (worker: Worker, path: string) =>
  worker.provider.paths().filter((asked) => asked === path).length;

async function endsWith(worker: Worker, expected: object): Promise<void> {
  await expect.poll(() => worker.readBoard()?.session).toMatchObject(expected);
}

/** The person opens the popup again and again, until it ends well. */
async function opensUntil(worker: Worker, expected: object): Promise<void> {
  await expect
    .poll(async () => {
      await open(worker);
      return worker.readBoard()?.session;
    })
    .toMatchObject(expected);
}

const interrupted = { status: 'signed-out', problem: { code: 'interrupted' } };
const expired = { status: 'signed-out', problem: { code: 'expired' }, lastAccount: { subject: 'ada' } };
const adaIsIn = { status: 'signed-in', profile: { subject: 'ada' }, problem: null };

async function canSignIn({ worker }: Pick<Scene, 'worker'>): Promise<void> {
  expect((await worker.signIn()).session).toMatchObject({ status: 'signed-in', problem: null });
}

/** A sign-in that fails with `code` because of what the provider answers, and works when it answers as it should. */
async function failsToSignIn(path: string, answer: Answer, code: string): Promise<void> {
  const scene = setUpScene({ answers: { [path]: answer } });
  await scene.worker.send({ type: 'sign-in', providerId: 'scripted' });
  if (path !== discovery) scene.worker.approve(await scene.worker.nextWindow());
  await endsWith(scene.worker, { status: 'signed-out', problem: { code } });
  delete scene.script.answers;
  await canSignIn(scene);
}

/** A renewal that fails with `code` because of what the provider answers, and costs nobody their session. */
async function survivesRenewal(answer: Answer, code: string): Promise<void> {
  const scene = await signedIn();
  scene.clock.nowMs += hour;
  scene.script.answers = { '/token': answer };
  await open(scene.worker);
  await endsWith(scene.worker, { status: 'signed-in', problem: { code } });
  delete scene.script.answers;
  scene.script.claims = { nonce: undefined };
  scene.clock.nowMs += hour;
  await opensUntil(scene.worker, adaIsIn);
}

interface Fault {
  readonly fault: string;
  /** What holds, as a run of the whole worker… */
  readonly holds?: () => Promise<void>;
  /** …or why there is nothing to run here. */
  readonly elsewhere?: string;
}

const faults: Readonly<Record<number, Fault>> = {
  1: {
    fault: 'the worker is killed before the window opens',
    async holds() {
      const scene = setUpScene({ answers: { [discovery]: () => Promise.race<Response>([]) } });
      await scene.worker.send({ type: 'sign-in', providerId: 'scripted' });
      scene.worker.restartWorker();
      delete scene.script.answers;
      await open(scene.worker);
      await endsWith(scene.worker, interrupted);
      await canSignIn(scene);
    },
  },
  2: {
    fault: 'the worker is killed while the window is open',
    async holds() {
      const { worker, window } = await signingIn();
      worker.restartWorker();
      await open(worker);
      await endsWith(worker, interrupted);
      worker.approve(window);
      await canSignIn({ worker });
      const [first, second] = worker.windows.map(({ url }) => new URL(url).searchParams);
      for (const secret of ['state', 'nonce', 'code_challenge'])
        expect(first?.get(secret)).not.toBe(second?.get(secret));
    },
  },
  3: {
    fault: 'the worker is killed after the redirect, before the token request',
    async holds() {
      const { worker, window } = await signingIn();
      const responseUrl = worker.provider.approve(window.url);
      worker.restartWorker();
      window.redirect(responseUrl);
      await open(worker);
      await endsWith(worker, interrupted);
      expect(sent(worker, 'code')).toEqual([]);
    },
  },
  4: {
    fault: 'the worker is killed while the code is exchanged',
    async holds() {
      const { worker, window, script } = await signingIn();
      script.answers = { '/token': () => Promise.race<Response>([]) };
      worker.approve(window);
      await expect.poll(() => sent(worker, 'code')).toHaveLength(1);
      worker.restartWorker();
      delete script.answers;
      await open(worker);
      await endsWith(worker, interrupted);
      expect(sent(worker, 'code')).toHaveLength(1);
    },
  },
  5: {
    fault: 'the worker is killed after the tokens came, before they are kept',
    elsewhere: 'killed.test.ts kills it at every step',
  },
  6: { fault: 'the worker is killed between two writes', elsewhere: 'killed.test.ts kills it at every step' },
  7: {
    fault: 'the worker is killed in a renewal that was sent',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.answers = { '/token': () => Promise.race<Response>([]) };
      await open(worker);
      await expect.poll(() => count(worker, '/token')).toBe(2);
      worker.restartWorker();
      script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
      worker.silence.answer = async (url) => (delete script.answers, worker.provider.approve(url));
      await open(worker);
      await expect.poll(() => count(worker, '/token')).toBe(4);
      await endsWith(worker, adaIsIn);
    },
  },
  8: {
    fault: 'the browser is restarted',
    async holds() {
      const kept = await signedIn();
      kept.worker.restartBrowser();
      await open(kept.worker);
      await endsWith(kept.worker, adaIsIn);
      const inMemory = await signedIn({}, { persistence: 'browser' });
      inMemory.worker.restartBrowser();
      await open(inMemory.worker);
      await endsWith(inMemory.worker, { status: 'signed-out', problem: null });
      expect(inMemory.worker.windows).toHaveLength(1);
    },
  },
  9: {
    fault: 'the browser crashes and leaves a sign-in behind',
    async holds() {
      const { worker, clock } = await signingIn();
      worker.restartBrowser();
      clock.nowMs += 24 * hour;
      await open(worker);
      await endsWith(worker, interrupted);
      await canSignIn({ worker });
    },
  },
  10: {
    fault: 'two pages start a sign-in',
    async holds() {
      const { worker } = setUpScene();
      const click = () => worker.send({ type: 'sign-in', providerId: 'scripted' });
      expect(await Promise.all([click(), click()])).toEqual([{ ok: true }, { ok: true }]);
      worker.approve(await worker.nextWindow());
      await endsWith(worker, adaIsIn);
      expect(worker.windows).toHaveLength(1);
    },
  },
  11: {
    fault: 'many pages want fresh tokens at once',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.claims = { nonce: undefined };
      await Promise.all(Array.from({ length: 20 }, () => open(worker)));
      await expect.poll(() => sent(worker, 'refresh_token')).toEqual(['refresh-1']);
      await endsWith(worker, adaIsIn);
    },
  },
  12: {
    fault: 'the answer of a renewal is lost, and the refresh token was replaced',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.answers = { '/token': () => Promise.reject(new TypeError('Failed to fetch')) };
      await open(worker);
      await endsWith(worker, { status: 'signed-in', problem: { code: 'provider-unreachable' } });
      script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
      await opensUntil(worker, expired);
      expect(worker.silence.urls).toHaveLength(1);
    },
  },
  13: {
    fault: 'the provider sees a refresh token used twice and revokes the session',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
      await open(worker);
      await endsWith(worker, expired);
      delete script.answers;
      await canSignIn({ worker });
    },
  },
  14: {
    fault: 'a renewal brings no new refresh token',
    async holds() {
      const { worker, script, clock } = await signedIn();
      script.token = { refresh_token: undefined, id_token: undefined };
      for (const times of [1, 2]) {
        clock.nowMs += hour;
        await expect
          .poll(async () => {
            await open(worker);
            return sent(worker, 'refresh_token');
          })
          .toEqual(Array.from({ length: times }, () => 'refresh-1'));
      }
      await endsWith(worker, adaIsIn);
    },
  },
  15: {
    fault: 'a renewal brings the ID token of another person',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.claims = { sub: 'eve', nonce: undefined };
      script.token = { refresh_token: 'refresh-eve' };
      await open(worker);
      await endsWith(worker, { ...expired, problem: { code: 'response-rejected' } });
      await expect.poll(() => sent(worker, 'token')).toEqual(['refresh-eve']);
      worker.restartWorker();
      await open(worker);
      await endsWith(worker, { status: 'signed-out' });
    },
  },
  16: {
    fault: 'the clock of the device is wrong by minutes',
    holds: () => canSignIn(setUpScene({ deviceAheadMs: 7 * 60_000 })),
  },
  17: {
    fault: 'the clock of the device is wrong by hours',
    async holds() {
      await canSignIn(setUpScene({ deviceAheadMs: 5 * hour }));
      await canSignIn(setUpScene({ deviceAheadMs: -5 * hour }));
      // A provider that does not say what time it is leaves only its tokens to go by.
      const scene = setUpScene({ deviceAheadMs: 5 * hour, sendsDate: false });
      expect((await scene.worker.signIn()).session).toMatchObject({ problem: { code: 'clock-wrong' } });
    },
  },
  18: {
    fault: 'the device sleeps past the end of the tokens',
    async holds() {
      const { worker, script, clock } = await signedIn();
      script.claims = { nonce: undefined };
      clock.nowMs += 72 * hour;
      await open(worker);
      await expect.poll(() => sent(worker, 'refresh_token')).toHaveLength(1);
      await endsWith(worker, adaIsIn);
    },
  },
  19: {
    fault: 'the device is offline at the start',
    async holds() {
      const { worker } = setUpScene();
      worker.network.isOnline = false;
      await worker.send({ type: 'sign-in', providerId: 'scripted' });
      await endsWith(worker, { status: 'signed-out', problem: { code: 'offline' } });
      expect(worker.windows).toEqual([]);
    },
  },
  20: {
    fault: 'the device is offline at a renewal',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      worker.network.isOnline = false;
      await open(worker);
      await endsWith(worker, { status: 'signed-in', problem: { code: 'offline' } });
      worker.network.isOnline = true;
      script.claims = { nonce: undefined };
      await opensUntil(worker, adaIsIn);
    },
  },
  21: {
    fault: 'a captive portal answers with its own page',
    async holds() {
      await failsToSignIn(discovery, html, 'provider-unreachable');
      await failsToSignIn('/token', html, 'provider-unreachable');
      await survivesRenewal(html, 'provider-unreachable');
    },
  },
  22: {
    fault: 'the connection cannot be trusted',
    async holds() {
      await failsToSignIn(
        discovery,
        () => Promise.reject(new TypeError('Failed to fetch')),
        'provider-unreachable',
      );
      // There is no second try without protection: what is not https is refused before it is asked.
      await failsToSignIn(
        discovery,
        { issuer, token_endpoint: 'http://provider.example/token' },
        'provider-misconfigured',
      );
    },
  },
  23: {
    fault: 'the provider fails',
    async holds() {
      for (const code of [500, 502, 503]) {
        await failsToSignIn(discovery, () => status(code), 'provider-unreachable');
        await survivesRenewal(() => status(code), 'provider-unreachable');
      }
      const { worker, window, script } = await signingIn();
      script.answers = { '/token': () => status(500) };
      worker.approve(window);
      await endsWith(worker, { status: 'signed-out', problem: { code: 'provider-unreachable' } });
      expect(sent(worker, 'code')).toHaveLength(1);
    },
  },
  24: {
    fault: 'the provider asks to be left alone for a while',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.answers = { '/token': () => status(429, { 'retry-after': '60' }) };
      await open(worker);
      await endsWith(worker, { status: 'signed-in', problem: { code: 'provider-unreachable' } });
      delete script.answers;
      script.claims = { nonce: undefined };
      const before = worker.provider.paths().length;
      await Promise.all([open(worker), open(worker)]);
      await endsWith(worker, { status: 'signed-in', problem: { code: 'provider-unreachable' } });
      expect(worker.provider.paths()).toHaveLength(before);
      clock.nowMs += 60_000;
      await opensUntil(worker, adaIsIn);
    },
  },
  25: {
    fault: 'the provider hangs',
    async holds() {
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')));
        return controller.signal;
      });
      const hangs: Answer = (init: RequestInit) =>
        new Promise<Response>((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
        });
      await failsToSignIn(discovery, hangs, 'timed-out');
      await survivesRenewal(hangs, 'timed-out');
      timeout.mockRestore();
    },
  },
  26: {
    fault: 'the provider answers a megabyte',
    async holds() {
      const megabyte = () => new Response('x'.repeat(2 ** 20));
      await failsToSignIn(discovery, megabyte, 'response-rejected');
      await failsToSignIn('/token', megabyte, 'response-rejected');
      await survivesRenewal(megabyte, 'response-rejected');
    },
  },
  27: {
    fault: 'the provider answers nonsense',
    async holds() {
      for (const body of ['', '{', '\ufeff{}', '[]', 'null', '{"access_token":7}', '"text"']) {
        await failsToSignIn('/token', () => new Response(body), 'response-rejected');
        await survivesRenewal(() => new Response(body), 'response-rejected');
      }
    },
  },
  28: {
    fault: 'the provider calls itself by another name',
    async holds() {
      const scene = setUpScene({ metadata: { issuer: `${issuer}/` } });
      await scene.worker.send({ type: 'sign-in', providerId: 'scripted' });
      await endsWith(scene.worker, {
        problem: { code: 'provider-misconfigured', detail: expect.stringContaining(`${issuer}/`) },
      });
      expect(scene.worker.windows).toEqual([]);
    },
  },
  29: {
    fault: 'discovery is down, and what is kept is old',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += 2 * hour;
      script.answers = { [discovery]: () => status(503), '/keys': () => status(503) };
      script.claims = { nonce: undefined };
      worker.restartWorker();
      await open(worker);
      await expect.poll(() => sent(worker, 'refresh_token')).toHaveLength(1);
      await endsWith(worker, adaIsIn);
    },
  },
  30: {
    fault: 'the provider changes its keys just before it signs',
    async holds() {
      const { worker, window, script } = await signingIn();
      const asked = count(worker, '/keys');
      script.signingKey = await createSigningKey('key-of-this-minute');
      worker.approve(window);
      await endsWith(worker, adaIsIn);
      expect(count(worker, '/keys')).toBe(asked + 1);
    },
  },
  31: {
    fault: 'two keys have one name, or none',
    async holds() {
      const [signingKey, another] = [await createSigningKey('same'), await createSigningKey('same', 'RS256')];
      await canSignIn(setUpScene({ signingKey, publishedKeys: () => [another.jwk, signingKey.jwk] }));
      const [nameless, other] = [await createSigningKey(null), await createSigningKey(null)];
      const scene = setUpScene({ signingKey: nameless, publishedKeys: () => [nameless.jwk, other.jwk] });
      expect((await scene.worker.signIn()).session).toMatchObject({ problem: { code: 'response-rejected' } });
    },
  },
  32: {
    fault: 'what is stored is damaged, or of another version',
    async holds() {
      for (const board of ['x', { version: 0 }, { version: 2, session: 'x' }]) {
        const { worker } = await signedIn();
        worker.local.items.set('board', board);
        worker.restartWorker();
        await open(worker);
        await endsWith(worker, adaIsIn);
      }
    },
  },
  33: {
    fault: 'the storage is full',
    async holds() {
      const { worker, window } = await signingIn();
      await expect.poll(() => count(worker, '/keys')).toBe(1);
      worker.disk.failure = new ProblemError('storage-failed', 'QuotaExceededError');
      worker.approve(window);
      await endsWith(worker, { status: 'signed-out', problem: { code: 'storage-failed' } });
      await expect.poll(() => sent(worker, 'token')).toEqual(['refresh-1']);
      worker.disk.failure = null;
      await canSignIn({ worker });
    },
  },
  34: {
    fault: 'the database cannot be opened',
    async holds() {
      const { worker } = await signedIn();
      worker.disk.failure = new ProblemError('storage-failed', 'InvalidStateError');
      worker.restartWorker();
      expect(await open(worker)).toMatchObject({ ok: false, problem: { code: 'storage-failed' } });
      worker.disk.failure = null;
      expect(await open(worker)).toEqual({ ok: true });
      await endsWith(worker, adaIsIn);
    },
  },
  35: {
    fault: 'the extension is updated in the middle of a sign-in',
    async holds() {
      const { worker, window } = await signingIn();
      worker.offerUpdate();
      await worker.send({ type: 'show-window' });
      expect(worker.shown.reloads).toBe(0);
      worker.approve(window);
      await endsWith(worker, adaIsIn);
      await expect.poll(() => worker.shown.reloads).toBe(1);
    },
  },
  36: {
    fault: 'the extension is disabled and enabled',
    async holds() {
      const { worker } = await signedIn();
      worker.restartBrowser();
      worker.install();
      await open(worker);
      await endsWith(worker, adaIsIn);
    },
  },
  37: {
    fault: 'an update changes the client or the issuer',
    async holds() {
      for (const change of [{ clientId: 'another' }, { issuer: 'https://another.example' }]) {
        const { worker } = await signedIn();
        worker.restartWorker(change);
        await open(worker);
        await endsWith(worker, expired);
      }
    },
  },
  38: { fault: 'a managed policy changes', elsewhere: 'there is no managed policy yet' },
  39: {
    fault: 'the person closes the window',
    async holds() {
      const { worker, window } = await signingIn(
        await signedIn().then(({ worker, ...rest }) => ({ ...rest, worker })),
      );
      window.close();
      await endsWith(worker, { ...adaIsIn, problem: { code: 'cancelled' } });
    },
  },
  40: {
    fault: 'the browser closes the window on an error page',
    async holds() {
      const { worker, window } = await signingIn();
      window.fail('Authorization page could not be loaded.');
      await endsWith(worker, { status: 'signed-out', problem: { code: 'sign-in-page-failed' } });
      await canSignIn({ worker });
    },
  },
  41: {
    fault: 'the window never appears',
    async holds() {
      const { worker } = setUpScene();
      await worker.send({ type: 'sign-in', providerId: 'scripted' });
      const hung = await worker.nextWindow();
      expect(await worker.send({ type: 'show-window' })).toMatchObject({ ok: false });
      await worker.send({ type: 'cancel' });
      await canSignIn({ worker });
      const { session } = worker.readBoard() ?? {};
      hung.redirect(worker.provider.approve(hung.url));
      await open(worker);
      expect(worker.readBoard()?.session).toEqual(session);
    },
  },
  42: {
    fault: 'the window is behind others',
    async holds() {
      const { worker, window } = await signingIn();
      expect(await worker.send({ type: 'show-window' })).toEqual({ ok: true });
      expect(window.focused).toBe(1);
    },
  },
  43: { fault: 'the popup closes in mid-flow', elsewhere: 'tests/browser/sign-in.test.ts closes it' },
  44: {
    fault: 'a reply never reaches its page',
    async holds() {
      const { worker } = await signedIn();
      await Promise.all([signOut(worker), signOut(worker)]);
      await signOut(worker);
      await endsWith(worker, { status: 'signed-out', problem: null });
      await expect.poll(() => sent(worker, 'token')).toEqual(['refresh-1']);
    },
  },
  45: {
    fault: 'the person has changed accounts at the provider',
    async holds() {
      const { worker, script } = await signedIn();
      script.claims = { sub: 'grace', name: 'Grace' };
      script.token = { refresh_token: 'refresh-grace' };
      await canSignIn({ worker });
      await endsWith(worker, { profile: { subject: 'grace', name: 'Grace' } });
      await expect.poll(() => sent(worker, 'token')).toEqual(['refresh-1']);
    },
  },
  46: { fault: 'a silent sign-in brings another person', elsewhere: 'silent-renewal.test.ts' },
  47: {
    fault: 'the person was removed at the provider',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
      worker.silence.answer = (url) => {
        const refusal = new URL(worker.provider.approve(url));
        refusal.searchParams.delete('code');
        refusal.searchParams.set('error', 'login_required');
        return Promise.resolve(refusal.href);
      };
      await open(worker);
      await endsWith(worker, expired);
    },
  },
  48: {
    fault: 'the API answers 401 to a token that looks valid',
    async holds() {
      const { worker, script } = await signedIn(
        {},
        { providers: [{ ...scripted, apiOrigins: [apiOrigin] }] },
      );
      worker.api.answer = ({ token }) => status(token === 'access-2' ? 200 : 401);
      script.claims = { nonce: undefined };
      script.token = { access_token: 'access-2' };
      const ask = async () => (await worker.fetch(apiOrigin)).status;
      expect(await Promise.all([ask(), ask()])).toEqual([200, 200]);
      expect(sent(worker, 'refresh_token')).toEqual(['refresh-1']);
      // An API that refuses every token is not asked for ever.
      worker.api.answer = () => status(401);
      expect([await ask(), await ask(), await ask()]).toEqual([401, 401, 401]);
      expect(sent(worker, 'refresh_token')).toHaveLength(2);
      await endsWith(worker, adaIsIn);
    },
  },
  49: {
    fault: 'an old redirect comes again',
    async holds() {
      const first = await signingIn();
      const old = first.worker.provider.approve(first.window.url);
      first.window.redirect(old);
      await endsWith(first.worker, adaIsIn);
      await signOut(first.worker);
      const { worker, window } = await signingIn(first);
      window.redirect(old);
      await endsWith(worker, { status: 'signed-out', problem: { code: 'response-rejected' } });
      expect(sent(worker, 'code')).toHaveLength(1);
    },
  },
  50: {
    fault: 'one provider answers for another',
    async holds() {
      const scene = setUpScene({}, { providers: [scripted, { ...scripted, id: 'other', name: 'Other' }] });
      for (const change of [
        (url: string) => url.replace(/\/scripted\?/, '/other?'),
        (url: string) => url.replace(encodeURIComponent(issuer), encodeURIComponent('https://evil.example')),
      ]) {
        const { worker, window } = await signingIn(scene);
        window.redirect(change(worker.provider.approve(window.url)));
        await endsWith(worker, { status: 'signed-out', problem: { code: 'response-rejected' } });
        expect(sent(worker, 'code')).toEqual([]);
      }
    },
  },
  51: { fault: 'the redirect URL is malformed', elsewhere: 'tests/oidc/authorize.test.ts has its table' },
  52: {
    fault: 'the provider redirects with an error',
    elsewhere: 'tests/oidc/authorize.test.ts has its table',
  },
  53: { fault: 'the token type is another', elsewhere: 'tests/oidc/redeem.test.ts has its table' },
  54: { fault: 'the lifetime is missing, or absurd', elsewhere: 'tests/oidc/tokens.test.ts has its table' },
  55: {
    fault: 'the provider demands another nonce in its DPoP proofs, or the worker has lost the last one',
    async holds() {
      const provider = { ...scripted, dpop: 'required' } as const;
      const nonces = ['one', 'two', 'three'];
      const { worker, script, clock } = await signedIn(
        { dpopNonce: () => nonces[0] ?? '' },
        { providers: [provider] },
      );
      clock.nowMs += hour;
      nonces.shift();
      script.claims = { nonce: undefined };
      worker.restartWorker();
      await open(worker);
      // Each grant is asked for once without the nonce, or with the old one, and once with it.
      await expect
        .poll(() => sent(worker, 'grant_type'))
        .toEqual(['authorization_code', 'authorization_code', 'refresh_token', 'refresh_token']);
      await endsWith(worker, adaIsIn);
    },
  },
  56: {
    fault: 'a pushed request is refused, or has ended before the window opened',
    async holds() {
      const provider = { ...scripted, par: 'always' } as const;
      const metadata = { pushed_authorization_request_endpoint: `${issuer}/par` };
      const scene = setUpScene(
        { metadata, answers: { '/par': () => status(503) } },
        { providers: [provider] },
      );
      await canSignIn(scene);
      delete scene.script.answers;
      await canSignIn(scene);
      const [plain, pushed] = scene.worker.windows.map(({ url }) => [...new URL(url).searchParams.keys()]);
      expect(plain).toContain('code_challenge');
      expect(pushed).toEqual(['client_id', 'request_uri']);
    },
  },
  57: {
    fault: 'the person has taken the permission for the host away',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.isForbidden = true;
      script.answers = { '/token': () => Promise.reject(new TypeError('NetworkError')) };
      await open(worker);
      await endsWith(worker, {
        status: 'signed-in',
        problem: { code: 'host-permission-missing', detail: 'provider.example' },
      });
      delete script.isForbidden;
      delete script.answers;
      script.claims = { nonce: undefined };
      worker.allowHosts();
      await endsWith(worker, adaIsIn);
      expect(sent(worker, 'refresh_token')).toHaveLength(2);
    },
  },
  58: {
    fault: 'the provider does not speak with extensions',
    async holds() {
      const refusal = () => Response.json({ message: 'Invalid CORS request' }, { status: 403 });
      await failsToSignIn('/token', refusal, 'provider-misconfigured');
      await survivesRenewal(refusal, 'provider-misconfigured');
    },
  },
  59: {
    fault: 'the provider is down at the sign-out',
    async holds() {
      for (const answer of [
        () => status(503),
        () => Promise.reject(new TypeError('Failed to fetch')),
        () => Promise.race<Response>([]),
      ]) {
        const { worker, script } = await signedIn();
        script.answers = { '/revoke': answer };
        expect(await signOut(worker)).toEqual({ ok: true });
        expect(worker.readBoard()?.session).toEqual({
          status: 'signed-out',
          problem: null,
          lastAccount: null,
          providerSession: null,
        });
      }
    },
  },
  60: {
    fault: 'the person signs out while tokens are on their way',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      const late = deferred<Response>();
      script.answers = { '/token': () => late.promise };
      await open(worker);
      await expect.poll(() => count(worker, '/token')).toBe(2);
      await signOut(worker);
      late.resolve(
        Response.json({ access_token: 'late', token_type: 'Bearer', refresh_token: 'refresh-late' }),
      );
      await expect
        .poll(async () => {
          await open(worker);
          return sent(worker, 'token');
        })
        .toEqual(['refresh-1', 'refresh-late']);
      await endsWith(worker, { status: 'signed-out', problem: null });
    },
  },
  61: {
    fault: 'two profiles hold one refresh token',
    async holds() {
      const { worker, script, clock } = await signedIn();
      clock.nowMs += hour;
      script.answers = { '/token': Response.json({ error: 'invalid_grant' }, { status: 400 }) };
      await open(worker);
      await endsWith(worker, expired);
    },
  },
  62: {
    fault: 'somebody else sends messages',
    async holds() {
      const { worker } = await signedIn();
      const command = { latchkey: { type: 'sign-out', everywhere: false } };
      expect(worker.deliver(command, { ...ownPage, id: 'another' })).toBeUndefined();
      expect(worker.deliver(command, { ...ownPage, url: 'https://evil.example/' })).toBeUndefined();
      await endsWith(worker, adaIsIn);
    },
  },
  63: {
    fault: 'claims hold markup, or text that runs the other way',
    elsewhere: 'tests/oidc/tokens.test.ts has its table',
  },
};

const runs = Object.entries(faults).flatMap(([number, { fault, holds }]) =>
  holds === undefined ? [] : [[number, fault, holds] as const],
);

test.each(runs)('F%s: %s', (_number, _fault, holds) => holds());

test('every fault has its row, here or elsewhere', () => {
  expect(Object.keys(faults).map(Number)).toEqual(Array.from({ length: 63 }, (_, index) => index + 1));
});
