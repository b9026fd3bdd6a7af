// A token for each API: the worker requests one with the session's refresh token when a feature first calls the API.

import { describe, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { refusal } from '../support/device-scene.ts';
import {
  adaIsSignedIn,
  discovery,
  hour,
  html,
  openUntil,
  signedIn as signIn,
  status,
  type WorkerSetup,
  type Worker,
} from '../support/worker-setup.ts';
import { apiOrigin, mailOrigin, payOrigin } from '../support/scripted-api.ts';
import {
  plainSettings,
  plainToken,
  provider as scripted,
  type Script,
} from '../support/scripted-provider.ts';

const pay = { name: 'Payments', origins: [payOrigin], scope: 'pay', resource: 'urn:pay', audience: null };
const mail = { name: null, origins: [mailOrigin], scope: null, resource: null, audience: 'mail' };
const provider = { ...scripted, apiOrigins: [apiOrigin], resource: 'urn:things', apis: [pay, mail] };
const own = 'openid profile email offline_access';

/** Ada is signed in. Each answer to a refresh token has an access token named after what it is for, and another refresh token. */
async function signedIn(script: Script = {}, setup: WorkerSetup = {}) {
  const scene = await signIn(script, { providers: [provider], ...setup });
  let count = 1;
  Object.defineProperty(script, 'token', {
    configurable: true,
    get() {
      count += 1;
      const asked = scene.worker.provider.requests.findLast(({ path }) => path === '/token');
      const { parameters = new URLSearchParams() } = asked ?? {};
      const what = parameters.get('resource') ?? parameters.get('audience') ?? 'own';
      return {
        access_token: `${what}-${count}`,
        refresh_token: `refresh-${count}`,
        scope: parameters.get('scope') ?? undefined,
        // An ID token that a renewal brings has no nonce here.
        ...(parameters.has('refresh_token') &&
          !('nonce' in (script.claims ?? {})) && { id_token: undefined }),
      };
    },
  });
  return scene;
}

const tokenRequests = (worker: Worker) =>
  worker.provider.requests.flatMap(({ parameters }) => {
    const { grant_type, client_id: _, ...others } = Object.fromEntries(parameters);
    return grant_type === 'refresh_token' ? [others] : [];
  });
const tokensAt = (worker: Worker, origin: string) =>
  worker.api.calls.filter(({ url }) => url.startsWith(origin)).map(({ token }) => token);
const answerOnce = (script: Script, answer: () => Response) => {
  script.answers = {
    '/token': () => {
      delete script.answers;
      return answer();
    },
  };
};

test('the sign-in asks for the scopes and names the resources of all APIs, and its token is for one', async () => {
  const { worker } = await signedIn();
  const asked = new URL(worker.windows[0]?.url ?? '').searchParams;
  expect(asked.get('scope')).toBe(`${own} pay`);
  expect(asked.getAll('resource')).toEqual(['urn:things', 'urn:pay']);
  const redeemed = worker.provider.requests.find(({ parameters }) => parameters.has('code'));
  expect(redeemed?.parameters.getAll('resource')).toEqual(['urn:things']);
  expect(redeemed?.parameters.get('scope')).toBe(own);
});

describe('a token of the sign-in that has the scope of an API too', () => {
  // Keycloak answers so: AuthorizationCodeGrantType takes the scope from the code, whatever the request says.
  const wide = { scope: `${own} pay` };

  test('goes to no API before it is narrowed with the refresh token', async () => {
    const { worker } = await signedIn({ token: wide });
    await worker.fetch(`${apiOrigin}/things`);
    await worker.fetch(`${apiOrigin}/things`);
    expect(tokenRequests(worker)).toEqual([
      { refresh_token: 'refresh-1', scope: own, resource: 'urn:things' },
    ]);
    expect(tokensAt(worker, apiOrigin)).toEqual(['urn:things-2', 'urn:things-2']);
  });

  // oidc-provider refuses a renewal that names a scope which it hasn't granted, such as `offline_access` without a consent.
  test('is narrowed to what was granted', async () => {
    const [granted = '', left = ''] = own.split(' ');
    const { worker } = await signedIn({ token: { scope: `${granted} pay` } });
    expect(left).not.toBe('');
    await worker.fetch(`${apiOrigin}/things`);
    expect(tokenRequests(worker)).toMatchObject([{ scope: granted }]);
  });

  test('stays unused if it cannot be narrowed now', async () => {
    const { worker, script } = await signedIn({ token: wide });
    script.answers = { '/token': () => status(503) };
    await expect(worker.fetch(`${apiOrigin}/things`)).rejects.toMatchObject({ reason: 'renewal-failed' });
    expect(worker.api.calls).toEqual([]);
  });

  test('is not sent after a silent sign-in either', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    let count = 0;
    Object.defineProperty(script, 'token', {
      get: () => ({ ...wide, access_token: `wide-${++count}`, refresh_token: `new-${count}` }),
    });
    script.claims = {};
    answerOnce(script, () => refusal('invalid_grant'));
    worker.silence.answer = worker.provider.approve;
    await worker.fetch(`${apiOrigin}/things`);
    expect(tokensAt(worker, apiOrigin)).toEqual(['wide-2']);
  });

  test('is used and noted for developers if there is no refresh token to narrow it with', async () => {
    const { worker } = await signedIn({ token: { ...wide, refresh_token: undefined } });
    await worker.fetch(`${apiOrigin}/things`);
    expect(worker.api.calls).toHaveLength(1);
    expect(worker.told.join()).toContain('a scope of another API');
  });
});

test('the first call to an API with a token of its own costs one request, and later ones none', async () => {
  const { worker } = await signedIn();
  await worker.fetch(`${apiOrigin}/things`);
  expect(tokenRequests(worker)).toEqual([]);
  await worker.fetch(`${payOrigin}/bills`);
  await worker.fetch(`${payOrigin}/bills`);
  await worker.fetch(`${mailOrigin}/inbox`);
  expect(tokenRequests(worker)).toEqual([
    { refresh_token: 'refresh-1', scope: 'pay', resource: 'urn:pay' },
    { refresh_token: 'refresh-2', audience: 'mail' },
  ]);
  await worker.fetch(`${apiOrigin}/things`);
  expect(tokensAt(worker, apiOrigin)).toEqual(['access-1', 'access-1']);
  expect(tokensAt(worker, payOrigin)).toEqual(['urn:pay-2', 'urn:pay-2']);
  expect(tokensAt(worker, mailOrigin)).toEqual(['mail-3']);
});

test('many calls to three APIs at expiry cost three requests, each with the newest refresh token', async () => {
  const { worker, clock } = await signedIn();
  await worker.fetch(`${payOrigin}/bills`);
  await worker.fetch(`${mailOrigin}/inbox`);
  clock.nowMs += hour;
  const origins = [apiOrigin, payOrigin, mailOrigin];
  await Promise.all(
    Array.from({ length: 30 }, (_, index) => worker.fetch(`${origins[index % 3]}/thing/${index}`)),
  );
  expect(tokenRequests(worker).slice(2)).toEqual([
    { refresh_token: 'refresh-3', scope: own, resource: 'urn:things' },
    { refresh_token: 'refresh-4', scope: 'pay', resource: 'urn:pay' },
    { refresh_token: 'refresh-5', audience: 'mail' },
  ]);
  expect(new Set(tokensAt(worker, payOrigin).slice(1))).toEqual(new Set(['urn:pay-5']));
});

test('a token that its API refuses is replaced, and the others stay', async () => {
  const { worker } = await signedIn();
  await worker.fetch(`${payOrigin}/bills`);
  worker.api.answer = ({ token }) => status(token === 'urn:pay-2' ? 401 : 200);
  expect((await worker.fetch(`${payOrigin}/bills`)).status).toBe(200);
  await worker.fetch(`${apiOrigin}/things`);
  expect(tokensAt(worker, payOrigin)).toEqual(['urn:pay-2', 'urn:pay-2', 'urn:pay-3']);
  expect(tokensAt(worker, apiOrigin)).toEqual(['access-1']);
});

test('a token of the sign-in that its API refuses is replaced, although that of another API came meanwhile', async () => {
  const { worker } = await signedIn();
  worker.api.answer = async ({ url, token }) => {
    if (!url.startsWith(apiOrigin) || token !== 'access-1') return status(200);
    worker.api.answer = ({ token: later }) => status(later === 'access-1' ? 401 : 200);
    await worker.fetch(`${payOrigin}/bills`);
    return status(401);
  };
  expect((await worker.fetch(`${apiOrigin}/things`)).status).toBe(200);
  expect(tokensAt(worker, apiOrigin)).toEqual(['access-1', 'urn:things-3']);
});

test('a token of the sign-in that its API refuses is replaced, although a silent sign-in ahead of time keeps it meanwhile', async () => {
  const settings = { ...provider, refreshTokenSeconds: 1_000 };
  const { worker, clock } = await signedIn({ token: { expires_in: 86_400 } }, { providers: [settings] });
  const [silence, refusing] = [deferred<null>(), deferred<null>()];
  worker.silence.answer = (url) =>
    silence.promise.then(() => worker.provider.decline(url, 'interaction_required'));
  worker.api.answer = async ({ token }) => {
    if (token !== 'access-1') return status(200);
    await refusing.promise;
    return status(401);
  };
  const asked = worker.fetch(`${apiOrigin}/things`);
  await expect.poll(() => worker.api.calls).toHaveLength(1);
  await worker.fetch(`${payOrigin}/bills`);
  clock.nowMs += 800_000;
  await worker.open();
  await expect.poll(() => worker.silence.urls).toHaveLength(1);
  refusing.resolve(null);
  await worker.rest();
  silence.resolve(null);
  expect((await asked).status).toBe(200);
});

test('a refresh token with a fixed lifetime is replaced before it ends, also if only an API with a token of its own is called', async () => {
  const { worker, script, clock } = await signedIn(
    {},
    { providers: [{ ...provider, refreshTokenSeconds: 24 * 3_600 }] },
  );
  worker.silence.answer = worker.provider.approve;
  script.claims = {};
  const asked: number[] = [];
  for (let hours = 3; hours < 24; hours += 3) {
    clock.nowMs += 3 * hour;
    const before = worker.silence.urls.length;
    expect((await worker.fetch(`${payOrigin}/bills`)).status).toBe(200);
    if (worker.silence.urls.length > before) asked.push(hours);
  }
  expect(asked).toEqual([18]);
});

test('the next worker uses the token that it finds, and a sign-out leaves nothing of it', async () => {
  const { worker } = await signedIn();
  await worker.fetch(`${payOrigin}/bills`);
  worker.restartWorker();
  await worker.fetch(`${payOrigin}/bills`);
  expect(tokensAt(worker, payOrigin)).toEqual(['urn:pay-2', 'urn:pay-2']);
  await worker.send({ type: 'sign-out', everywhere: false });
  await expect.poll(worker.revoked).toEqual(['refresh-2']);
  await expect.poll(worker.held).toMatchObject({ session: null, pendingRevocations: [] });
});

test('an update that names the API differently gets a token for that, and one that takes it away gets none', async () => {
  const { worker } = await signedIn();
  await worker.fetch(`${payOrigin}/bills`);
  worker.restartWorker({ apis: [{ ...pay, resource: 'urn:other' }] });
  await worker.fetch(`${payOrigin}/bills`);
  expect(tokensAt(worker, payOrigin)).toEqual(['urn:pay-2', 'urn:other-3']);
  worker.restartWorker({ apis: [] });
  await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'origin-not-allowed' });
});

describe('an API for which the provider issues no token', () => {
  test.each(['invalid_target', 'invalid_scope'])(
    'is refused with %s for ten seconds, and the rest of the session goes on',
    async (error) => {
      const { worker, script, clock } = await signedIn();
      answerOnce(script, () => refusal(error));
      const refused = { reason: 'api-token-refused', message: expect.stringContaining(error) };
      await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject(refused);
      await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'api-token-refused' });
      expect(tokenRequests(worker)).toHaveLength(1);
      await worker.fetch(`${mailOrigin}/inbox`);
      await worker.fetch(`${apiOrigin}/things`);
      await worker.expectSession(adaIsSignedIn);
      clock.nowMs += 10_000;
      expect((await worker.fetch(`${payOrigin}/bills`)).status).toBe(200);
    },
  );

  test.each(['invalid_grant', 'access_denied', 'unauthorized_client'])(
    'with %s is told by a renewal from a session at its end',
    async (error) => {
      const { worker, script } = await signedIn();
      answerOnce(script, () => refusal(error));
      await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'api-token-refused' });
      expect(tokenRequests(worker).map(({ resource }) => resource)).toEqual(['urn:pay', 'urn:things']);
      await worker.expectSession(adaIsSignedIn);
      await worker.fetch(`${apiOrigin}/things`);
      expect(tokensAt(worker, apiOrigin)).toEqual(['urn:things-2']);
    },
  );

  test.each<[title: string, before: NonNullable<Script['answers']>, detail: string | null]>([
    ['', {}, null],
    [
      ', and says so if the answer to the request before was lost',
      { '/token': () => new Promise<Response>(() => undefined) },
      'renewal: the answer to an earlier renewal may have been lost',
    ],
  ])('with invalid_grant for all ends the session%s', async (_title, before, detail) => {
    const { worker, script } = await signedIn();
    script.answers = before;
    void worker.fetch(`${payOrigin}/bills`).catch(() => undefined);
    await expect.poll(() => worker.count('/token')).toBe(2);
    await worker.rest();
    worker.restartWorker();
    script.answers = { '/token': () => refusal('invalid_grant') };
    worker.clock.nowMs += hour;
    await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'signed-out' });
    await worker.expectSession({ status: 'signed-out', problem: { code: 'expired', detail } });
  });

  test('is refused by name where the session has no refresh token', async () => {
    const { worker } = await signIn({ token: { refresh_token: undefined } }, { providers: [provider] });
    await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({
      reason: 'api-token-refused',
      message: expect.stringContaining('there is no refresh token'),
    });
  });
});

describe('an API whose refresh token is refused', () => {
  /** The refresh token is refused for this API, and `answer` comes to all other requests. */
  const refusedFor = (worker: Worker, resource: string, answer: () => Promise<Response> | Response) => () => {
    const { parameters } = worker.provider.requests.findLast(({ path }) => path === '/token')!;
    return parameters.get('resource') === resource ? refusal('invalid_grant') : answer();
  };
  const fetchFive = async (worker: Worker, reason: string) => {
    for (let count = 0; count < 5; count += 1)
      await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason });
  };

  test('is asked for once in ten seconds while the session goes on', async () => {
    const { worker, script, clock } = await signedIn();
    const answer = async () => Response.json(await worker.provider.tokenAnswer());
    script.answers = { '/token': refusedFor(worker, 'urn:pay', answer) };
    await fetchFive(worker, 'api-token-refused');
    expect(tokenRequests(worker)).toHaveLength(2);
    clock.nowMs += 10_000;
    await fetchFive(worker, 'api-token-refused');
    expect(tokenRequests(worker)).toHaveLength(4);
  });

  test('is asked for twice while the provider is down for the rest, and then waits', async () => {
    const { worker, script } = await signedIn();
    script.answers = { '/token': refusedFor(worker, 'urn:pay', () => status(503)) };
    await fetchFive(worker, 'renewal-failed');
    expect(tokenRequests(worker)).toHaveLength(4);
  });

  test('is asked for once more after a silent sign-in has brought another refresh token', async () => {
    const { worker, script, clock } = await signedIn();
    clock.nowMs += hour;
    worker.silence.answer = (url) => {
      delete script.answers;
      return worker.provider.approve(url);
    };
    script.answers = { '/token': () => refusal('invalid_grant') };
    script.claims = {};
    expect((await worker.fetch(`${payOrigin}/bills`)).status).toBe(200);
    expect(tokensAt(worker, payOrigin)).toEqual(['urn:pay-3']);
  });
});

test('a request for the token of an API that a new sign-in overtakes goes on with that of the new session', async () => {
  const { worker, script } = await signedIn();
  const answer = deferred<Response>();
  script.answers = { '/token': () => answer.promise };
  const asked = worker.fetch(`${payOrigin}/bills`);
  await expect.poll(() => tokenRequests(worker)).toHaveLength(1);
  delete script.answers;
  script.claims = {};
  await worker.agreeTo({ type: 'use-another-account' });
  const late = { access_token: 'late', token_type: 'Bearer', refresh_token: 'refresh-late' };
  answer.resolve(Response.json(late));
  expect((await asked).status).toBe(200);
  expect(tokensAt(worker, payOrigin)).toEqual(['urn:pay-3']);
  expect((await worker.held()).pendingRevocations.map(({ token }) => token)).toContain('refresh-late');
});

test('an answer counts as lost only if the refresh token was sent', async () => {
  const { worker, script, clock } = await signedIn();
  clock.nowMs += 25 * hour;
  script.answers = { [discovery]: status(404) };
  await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'api-token-refused' });
  expect((await worker.held()).session).toMatchObject({ renewalSentAtMs: null });
});

describe('an API whose token cannot be had now', () => {
  test.each<[string, () => Response]>([
    ['the provider is down', () => status(503)],
    ['something in between answers', html],
  ])('waits while %s, and the session stays unmarked', async (_title, answer) => {
    const { worker, script, clock } = await signedIn();
    script.answers = { '/token': answer };
    await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'renewal-failed' });
    await worker.expectSession(adaIsSignedIn);
    delete script.answers;
    clock.nowMs += 2_000;
    expect((await worker.fetch(`${payOrigin}/bills`)).status).toBe(200);
  });

  test('waits while the permission for the host of its provider is missing', async () => {
    const { worker, script } = await signedIn();
    script.isForbidden = true;
    script.answers = { '/token': () => Promise.reject(new TypeError('NetworkError')) };
    await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'renewal-failed' });
    Object.assign(script, { isForbidden: false, answers: {} });
    expect((await worker.fetch(`${payOrigin}/bills`)).status).toBe(200);
  });

  test('gets the old one as long as it lasts', async () => {
    const { worker, script, clock } = await signedIn();
    await worker.fetch(`${payOrigin}/bills`);
    clock.nowMs += 280_000;
    script.answers = { '/token': () => status(503) };
    expect((await worker.fetch(`${payOrigin}/bills`)).status).toBe(200);
    clock.nowMs += 30_000;
    await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'renewal-failed' });
  });
});

test('an ID token for another user beside the token of an API is rejected, and what came with it is revoked', async () => {
  const { worker, script } = await signedIn();
  script.claims = { nonce: undefined, sub: 'grace' };
  await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'api-token-refused' });
  expect(tokensAt(worker, payOrigin)).toEqual([]);
  await expect.poll(worker.revoked).toEqual(['refresh-2']);
  await worker.expectSession(adaIsSignedIn);
});

test('a user who is no longer allowed is signed out by the token of an API', async () => {
  const { worker, script } = await signedIn(
    { claims: { hd: 'acme.example' } },
    { providers: [{ ...provider, allowed: { hd: ['acme.example'] } }] },
  );
  script.claims = { nonce: undefined, hd: 'other.example' };
  await expect(worker.fetch(`${payOrigin}/bills`)).rejects.toMatchObject({ reason: 'signed-out' });
  await worker.expectSession({ status: 'signed-out', problem: { code: 'not-permitted' } });
});

describe('request-scope for an API', () => {
  const ask = (worker: Worker, scope = 'pay.write') =>
    worker.send({ type: 'request-scope', scope, api: payOrigin });

  test('asks for it in the window, and brings a token of that API with it', async () => {
    const { worker, clock } = await signedIn();
    await ask(worker);
    const window = await worker.nextWindow();
    expect(new URL(window.url).searchParams.get('scope')).toBe(`${own} pay pay.write`);
    worker.approve(window);
    await worker.expectSession(adaIsSignedIn);
    await worker.fetch(`${payOrigin}/bills`);
    const asked = { scope: 'pay pay.write', resource: 'urn:pay' };
    expect(tokenRequests(worker)).toEqual([{ refresh_token: 'refresh-2', ...asked }]);
    expect(tokensAt(worker, payOrigin)).toEqual(['urn:pay-3']);
    clock.nowMs += hour;
    worker.restartWorker();
    await worker.fetch(`${payOrigin}/bills`);
    expect(tokenRequests(worker).at(-1)).toEqual({ refresh_token: 'refresh-3', ...asked });
  });

  test('is not repeated once the configuration no longer has that API', async () => {
    const { worker } = await signedIn();
    worker.approve(await worker.begin({ type: 'request-scope', scope: 'pay.write', api: payOrigin }));
    await worker.expectSession(adaIsSignedIn);
    worker.restartWorker({ apis: [mail] });
    const window = await worker.begin({ type: 'request-scope', scope: 'things.write', api: apiOrigin });
    expect(new URL(window.url).searchParams.get('scope')).toBe(`${own} things.write`);
  });

  test('is denied if the provider grants less, and the session stays as it was', async () => {
    const { worker, script } = await signedIn();
    await worker.fetch(`${payOrigin}/bills`);
    await ask(worker);
    Object.defineProperty(script, 'token', {
      value: { access_token: 'less', refresh_token: 'refresh-9', scope: 'pay' },
    });
    worker.approve(await worker.nextWindow());
    await worker.expectSession({
      ...adaIsSignedIn,
      problem: { code: 'denied', detail: 'scope: less was granted than asked for' },
    });
    await worker.fetch(`${payOrigin}/bills`);
    expect(tokensAt(worker, payOrigin)).toEqual(['urn:pay-2', 'urn:pay-2']);
    expect((await worker.held()).pendingRevocations.map(({ token }) => token)).toEqual(['refresh-9']);
  });

  test('fails with the provider’s error if that refuses the token, and the session stays as it was', async () => {
    const { worker, script } = await signedIn();
    await ask(worker);
    const window = await worker.nextWindow();
    script.answers = {
      '/token': async () =>
        worker.sent('code').length === worker.count('/token')
          ? Response.json(await worker.provider.tokenAnswer())
          : refusal('invalid_scope'),
    };
    script.claims = {};
    worker.approve(window);
    await worker.expectSession({
      status: 'signed-in',
      problem: { code: 'provider-misconfigured', detail: 'renewal: invalid_scope' },
    });
  });

  test('is refused for an origin that is none of the configuration', async () => {
    const { worker } = await signedIn();
    const reply = await worker.send({ type: 'request-scope', scope: 'x', api: 'https://evil.example' });
    const detail = 'No API of the configuration has the origin of the response.';
    expect(reply).toMatchObject({ ok: false, problem: { code: 'unexpected', detail } });
    expect(worker.windows).toHaveLength(1);
  });
});

test('plain OAuth 2 has tokens for APIs too', async () => {
  const script: Script = { token: plainToken };
  const { worker } = await signIn(script, { providers: [{ ...provider, ...plainSettings }] });
  script.token = { ...plainToken, access_token: 'for-pay', refresh_token: 'refresh-2' };
  await worker.fetch(`${payOrigin}/bills`);
  expect(tokensAt(worker, payOrigin)).toEqual(['for-pay']);
  expect(tokenRequests(worker)).toEqual([{ refresh_token: 'refresh-1', scope: 'pay', resource: 'urn:pay' }]);
});

test('opening a page renews the token of the sign-in alone', async () => {
  const { worker } = await signedIn();
  await worker.fetch(`${payOrigin}/bills`);
  await worker.openAfter(hour);
  await openUntil({ worker }, adaIsSignedIn);
  await expect
    .poll(() => tokenRequests(worker).slice(1))
    .toEqual([{ refresh_token: 'refresh-2', scope: own, resource: 'urn:things' }]);
});
