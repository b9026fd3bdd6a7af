import { describe, expect, test, vi } from 'vitest';
import {
  setUpWorker,
  type Worker,
  adaIsSignedIn,
  discovery,
  expectSignInToWork,
  hour,
  status,
  signedIn,
} from '../support/worker-setup.ts';
import type { SigningIn } from '../../src/session/view.ts';
import { provider } from '../support/scripted-provider.ts';
import { deferred } from '../support/deferred.ts';

test('a new installation has a signed-out board that lists the providers', async () => {
  const worker = setUpWorker();
  expect(await worker.boardWhere(() => true)).toEqual({
    version: 1,
    session: {
      status: 'signed-out',
      problem: null,
      accounts: [],
      lastProviderId: null,
      providerSession: null,
    },
    providers: [{ id: 'scripted', name: 'Scripted provider', endsSession: false }],
    managed: false,
  });
});

test('a sign-in is accepted at once, shown as running, and ends with the user on the board', async () => {
  const worker = setUpWorker();
  expect(await worker.send({ type: 'sign-in', providerId: 'scripted' })).toEqual({ ok: true });
  const signingIn = worker.session() as SigningIn;
  expect(signingIn).toMatchObject({ status: 'signing-in', providerId: 'scripted' });

  worker.approve(await worker.nextWindow());
  expect(await worker.untilSettled()).toEqual({
    status: 'signed-in',
    problem: null,
    sinceMs: signingIn.startedAtMs,
    profile: {
      providerId: 'scripted',
      subject: 'ada',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      emailVerified: true,
      picture: null,
    },
    accounts: [],
  });
});

test.each(['by the same worker', 'by the next worker'])(
  'a profile that UserInfo left incomplete is completed %s',
  async (by) => {
    const picture = 'https://pictures.example/ada.png';
    const { worker, script } = setUpWorker({ script: { answers: { '/userinfo': () => status(503) } } });
    await worker.signIn();
    await worker.rest();
    if (by === 'by the next worker') worker.restartWorker();
    script.answers = { '/userinfo': { sub: 'ada', picture } };
    await worker.open();
    await worker.rest();
    expect(worker.count('/userinfo')).toBe(1);
    await worker.openAfter(10 * 60_000);
    await worker.expectSession({ profile: { picture } });
    await worker.openAfter(10 * 60_000);
    await worker.rest();
    expect(worker.count('/userinfo')).toBe(2);
  },
);

test('three pages that open at once ask UserInfo once', async () => {
  const { worker, script } = setUpWorker({ script: { answers: { '/userinfo': () => status(503) } } });
  await worker.signIn();
  await worker.rest();
  script.answers = { '/userinfo': { sub: 'ada', picture: 'https://pictures.example/ada.png' } };
  worker.clock.nowMs += 10 * 60_000;
  await Promise.all([worker.open(), worker.open(), worker.open()]);
  await worker.rest();
  expect(worker.count('/userinfo')).toBe(2);
});

test('UserInfo is asked for a new session while an answer for the one before is awaited', async () => {
  const late = deferred<Response>();
  const { worker, script } = setUpWorker({
    script: { answers: { '/userinfo': () => late.promise } },
  });
  await worker.signIn();
  await expect.poll(() => worker.count('/userinfo')).toBe(1);
  const picture = 'https://pictures.example/ada.png';
  script.answers = { '/userinfo': { sub: 'ada', picture } };
  await worker.agreeTo({ type: 'use-another-account' });
  await worker.expectSession({ profile: { picture } });
  late.resolve(Response.json({ sub: 'ada' }));
});

test("the user has the listed claims of the ID token, and UserInfo's where it lacks one, until the session ends", async () => {
  const settings = { ...provider, profileClaims: ['roles', 'plan', 'none'] };
  const answers = { '/userinfo': { sub: 'ada', roles: ['root'], plan: 'pro' } };
  const script = { claims: { roles: ['editor'] }, answers };
  const { worker } = setUpWorker({ script, providers: [settings] });
  await worker.signIn();
  await worker.expectSession({ profile: { claims: { roles: ['editor'], plan: 'pro' } } });
  worker.restartWorker();
  await worker.open();
  expect(worker.session()).toMatchObject({ profile: { claims: { roles: ['editor'] } } });
  await worker.signOut();
  expect(JSON.stringify(worker.readBoard())).not.toContain('editor');
});

describe('a renewal', () => {
  const settings = { ...provider, profileClaims: ['roles', 'plan'] };
  const ofUserInfo = (claims: object) => ({ '/userinfo': { sub: 'ada', ...claims } });
  async function signedInWith(claims: object, plan: object) {
    const scene = setUpWorker({
      script: { claims: { ...claims }, answers: ofUserInfo(plan) },
      providers: [settings],
    });
    await scene.worker.signIn();
    await scene.worker.rest();
    return scene;
  }
  const has = async (worker: Worker, claims: object) => {
    await expect.poll(() => worker.session()).toMatchObject({ profile: { claims } });
  };
  const claimsOf = (worker: Worker) => {
    const session = worker.session();
    return session?.status === 'signed-in' ? session.profile.claims : undefined;
  };

  test('takes claims from the feature that the new ID token lacks or gives otherwise', async () => {
    const { worker, script } = await signedInWith({ roles: ['editor', 'admin'], plan: 'pro' }, {});
    script.claims = { roles: ['editor'], plan: 'free', nonce: undefined };
    await worker.openAfter(hour);
    await has(worker, { roles: ['editor'], plan: 'free' });
    script.claims = { plan: 'free', nonce: undefined };
    await worker.openAfter(hour);
    await worker.rest();
    expect(claimsOf(worker)).toEqual({ plan: 'free' });
  });

  test('asks UserInfo again for the claims that no ID token has, with or without a new one', async () => {
    const { worker, script } = await signedInWith({ roles: ['editor'] }, { plan: 'pro' });
    await has(worker, { roles: ['editor'], plan: 'pro' });
    script.answers = ofUserInfo({});
    script.claims = { roles: ['editor'], nonce: undefined };
    await worker.openAfter(hour);
    await worker.rest();
    expect(claimsOf(worker)).toEqual({ roles: ['editor'] });
    script.answers = ofUserInfo({ plan: 'team' });
    script.token = { id_token: undefined };
    await worker.openAfter(hour);
    await has(worker, { roles: ['editor'], plan: 'team' });
  });

  test('keeps what UserInfo has added until it answers', async () => {
    const { worker, script } = await signedInWith({ roles: ['editor'] }, { plan: 'pro' });
    script.answers = { '/userinfo': () => status(503) };
    script.claims = { roles: ['admin'], nonce: undefined };
    await worker.openAfter(hour);
    await has(worker, { roles: ['admin'], plan: 'pro' });
  });

  test('leaves the claims as they are if its ID token is not verified', async () => {
    const { worker, script } = await signedInWith({ roles: ['editor'], plan: 'pro' }, {});
    script.claims = { roles: ['admin'], plan: 'pro', nonce: 'another' };
    await worker.openAfter(hour);
    await worker.rest();
    expect(claimsOf(worker)).toEqual({ roles: ['editor'], plan: 'pro' });
  });
});

test('with cached metadata and keys, the window opens without a request and only the token request follows', async () => {
  const worker = setUpWorker();
  await worker.open();
  await expect.poll(() => worker.provider.paths()).toEqual(['/.well-known/openid-configuration', '/keys']);

  const window = await worker.begin();
  expect(worker.provider.paths()).toHaveLength(2);
  worker.approve(window);
  await worker.expectSession({ status: 'signed-in' });
  expect(worker.provider.paths().slice(2, 3)).toEqual(['/token']);
});

test('a sign-in makes its request while the board is written, and the window waits', async () => {
  const worker = setUpWorker();
  await worker.boardWhere(() => true);
  const isWritten = deferred<null>();
  const { local } = worker;
  const write = local.set.bind(local);
  local.set = async (items) => {
    if ('board' in items) await isWritten.promise;
    return write(items);
  };
  const accepted = worker.send({ type: 'sign-in', providerId: 'scripted' });
  await expect.poll(() => worker.provider.paths()).toContain(discovery);
  await worker.rest();
  expect(worker.windows).toEqual([]);
  isWritten.resolve(null);
  expect(await accepted).toEqual({ ok: true });
  await worker.nextWindow();
});

test('a code is redeemed although the token endpoint has asked to be left alone', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += hour;
  script.answers = { '/token': () => status(429, { 'retry-after': '60' }) };
  await worker.open();
  await worker.expectSession({ status: 'signed-in', problem: { code: 'provider-unreachable' } });
  delete script.answers;
  await expectSignInToWork({ worker });
});

test('a second click raises the first window and opens no other, and the window is forgotten at its end', async () => {
  const worker = setUpWorker();
  const window = await worker.beginShown();
  expect(await worker.send({ type: 'sign-in', providerId: 'scripted' })).toEqual({ ok: true });
  expect(worker.windows).toHaveLength(1);
  expect(window.focused).toBe(1);
  expect(worker.memory.items.has('auth-window')).toBe(true);
  worker.approve(window);
  await worker.untilSettled();
  await expect.poll(() => worker.memory.items.has('auth-window')).toBe(false);
});

test('a second click at the same moment does not replace the attempt of the first', async () => {
  const worker = setUpWorker();
  const click = (hint: string) => worker.send({ type: 'sign-in', providerId: 'scripted', hint });
  await Promise.all([click('first@example.com'), click('second@example.com')]);
  const { url } = await worker.nextWindow();
  expect(new URL(url).searchParams.get('login_hint')).toBe('first@example.com');
  await worker.rest();
  expect(worker.shown.popups).toBe(0);
});

test('a second try takes the place of the first, once for two clicks, and not after its end', async () => {
  const worker = setUpWorker();
  const first = await worker.beginShown();
  const { attempt } = worker.session() as SigningIn;
  const tryAgain = () => worker.send({ type: 'try-again', attempt });
  await Promise.all([tryAgain(), tryAgain()]);
  worker.approve(await worker.nextWindow());
  expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in', problem: null });
  expect(await tryAgain()).toEqual({ ok: true });
  await worker.rest();
  expect([first.isOpen, worker.windows.length, worker.session()?.status]).toEqual([false, 2, 'signed-in']);
});

test('a change of account asks the provider to let the user choose', async () => {
  const { worker } = await signedIn();
  const { url } = await worker.begin({ type: 'use-another-account' });
  expect(new URL(url).searchParams.get('prompt')).toBe('select_account');
});

test.each([
  ['before anyone has signed in', async () => setUpWorker()],
  [
    'after a sign-out',
    async () => {
      const { worker } = await signedIn();
      await worker.send({ type: 'sign-out', everywhere: false });
      return worker;
    },
  ],
])('another account can be asked for %s', async (_, setUp) => {
  const worker = await setUp();
  const order = { type: 'use-another-account', providerId: 'scripted' } as const;
  const { url } = await worker.begin(order);
  expect(new URL(url).searchParams.get('prompt')).toBe('select_account');
  expect(worker.session()).toMatchObject({ status: 'signing-in', providerId: 'scripted', order });
});

test('another account without a provider is rejected if there has been no account', async () => {
  const worker = setUpWorker();
  const reply = await worker.send({ type: 'use-another-account' });
  expect(reply).toMatchObject({ ok: false, problem: { code: 'unexpected' } });
});

test('a sign-in with an unknown provider is rejected and changes nothing', async () => {
  const worker = setUpWorker();
  const reply = await worker.send({ type: 'sign-in', providerId: 'nobody' });
  expect(reply).toMatchObject({ ok: false, problem: { code: 'not-permitted' } });
  expect(worker.session()?.status).toBe('signed-out');
});

test('a sign-in without a network fails before a window opens', async () => {
  const worker = setUpWorker();
  worker.network.isOnline = false;
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  await worker.expectSession({ status: 'signed-out', problem: { code: 'offline' } });
  expect(worker.windows).toEqual([]);
});

test('a cancel closes the window, also one that has appeared just now, and leaves no notice', async () => {
  const worker = setUpWorker();
  const window = await worker.beginShown();
  expect(await worker.cancel()).toEqual({ ok: true });
  expect(window.isOpen).toBe(false);
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
  expect(worker.memory.items.has('auth-window')).toBe(false);
});

test('a cancel that waits for the browser leaves the sign-in that has begun meanwhile', async () => {
  const worker = setUpWorker();
  const first = await worker.begin();
  // It may be the window of the sign-in, so a cancel looks at the tabs.
  worker.openForeignWindow(null);
  await worker.rest();
  const tabs = deferred<never[]>();
  const looks = vi.spyOn(worker.browser.tabs, 'query').mockReturnValueOnce(tabs.promise);
  const cancelled = worker.cancel();
  await expect.poll(() => looks).toHaveBeenCalledOnce();
  first.close();
  await worker.expectSession({ status: 'signed-out' });
  const second = await worker.begin();
  tabs.resolve([]);
  expect(await cancelled).toEqual({ ok: true });
  worker.approve(second);
  await worker.expectSession({ status: 'signed-in' });
});

test('a cancel before the session is stored wins, and the new tokens are revoked', async () => {
  const { worker, script } = await signedIn();
  await worker.rest();
  script.claims = { sub: 'grace' };
  script.token = { refresh_token: 'refresh-2' };
  const late = deferred<Response>();
  script.answers = { '/token': () => late.promise };
  worker.approve(await worker.begin({ type: 'use-another-account' }));
  await expect.poll(() => worker.count('/token')).toBe(2);
  await worker.cancel();
  late.resolve(Response.json(await worker.provider.tokenAnswer()));
  await expect.poll(worker.revoked).toEqual(['refresh-2']);
  await worker.expectSession(adaIsSignedIn);
  await worker.reopen();
  await worker.expectSession(adaIsSignedIn);
});

test.each([
  ['no one looks', 0, false, 1, ''],
  ['a page is open', 1, false, 0, ''],
  ['the browser refuses', 0, true, 0, '!'],
])(
  'the end of a sign-in brings the popup or a badge, unless a page shows it: %s',
  async (_title, pagesOpen, refusesPopup, popups, badge) => {
    const worker = setUpWorker();
    Object.assign(worker.shown, { pagesOpen, refusesPopup });
    await worker.signIn();
    await expect.poll(() => [worker.shown.popups, worker.toolbar.badge]).toEqual([popups, badge]);
    await worker.open();
    await expect.poll(() => worker.toolbar.badge).toBe('');
  },
);

test('a notice is shown to the first page that opens, and not to the second', async () => {
  const worker = setUpWorker();
  (await worker.begin()).close();
  await worker.expectSession({ status: 'signed-out', problem: { code: 'cancelled' } });
  await worker.open();
  expect(worker.session()).toMatchObject({ problem: { code: 'cancelled' } });
  await worker.open();
  expect(worker.session()).toMatchObject({ problem: null });
});
