// A window whose page failed, through the whole worker: the diagnosis on the board, and the requests for it.

import { describe, expect, test } from 'vitest';
import { deferred } from '../support/deferred.ts';
import { ownOrigin, type Manner } from '../support/fake-browser.ts';
import type { SignedOut } from '../../src/session/view.ts';
import { issuer, provider as scripted, type Script } from '../support/scripted-provider.ts';
import { setUpWorker } from '../support/worker-setup.ts';

const pageFailed = 'Authorization page could not be loaded.';
const redirectUri = 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/scripted';
const refusal = () => Response.json({ error: 'invalid_redirect_uri' }, { status: 400 });
const refused = {
  code: 'provider-misconfigured',
  detail: 'sign-in page: HTTP 400',
  diagnosis: { cause: 'redirect-uri', certainty: 'known', register: redirectUri },
};

async function setUpWindow(script: Script = {}, manner?: Manner) {
  const worker = setUpWorker({ script, ...(manner && { manner }) });
  const window = await worker.beginShown();
  return { worker, window };
}

test.each([pageFailed, 'Invalid request', 'Something new'])(
  'a window that fails with «%s» is diagnosed',
  async (text) => {
    const { worker, window } = await setUpWindow({ answers: { '/authorize': refusal } });
    window.fail(text);
    await worker.expectSession({ status: 'signed-out', problem: refused });
  },
);

test.each([
  ['closed', 'The user did not approve access.', 'cancelled'],
  ['not supported', "Couldn't create a browser window to display an authorization page.", 'not-supported'],
])('a window that is %s is not diagnosed in Chromium', async (_title, text, code) => {
  const { worker, window } = await setUpWindow({ answers: { '/authorize': refusal } }, 'chromium');
  window.fail(text);
  await worker.expectSession({ status: 'signed-out', problem: { code } });
  expect(worker.provider.paths()).not.toContain('/authorize');
});

test('a cancel during the diagnosis wins', async () => {
  const answer = deferred<Response>();
  const { worker, window } = await setUpWindow({ answers: { '/authorize': () => answer.promise } });
  window.fail(pageFailed);
  await expect.poll(() => worker.provider.paths()).toContain('/authorize');
  await worker.cancel();
  answer.resolve(refusal());
  expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
});

test('the next attempt finds a sign-in page that has moved', async () => {
  const script: Script = { answers: { '/authorize': new Response('', { status: 404 }) } };
  const worker = setUpWorker({ script });
  const window = await worker.begin();
  script.metadata = { authorization_endpoint: `${issuer}/moved` };
  window.fail(pageFailed);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'sign-in-page-failed' } });
  expect(new URL((await worker.begin()).url).pathname).toBe('/moved');
});

const json = (status: number, error: string, error_description: string) => () =>
  Response.json({ error, error_description }, { status });
const ofOrigin = (certainty: string) => ({ cause: 'origin', certainty, register: ownOrigin });

test.each<[string, () => Response, object | undefined, string?]>([
  // https://github.com/panva/node-oidc-provider/blob/main/lib/shared/cors.js
  [
    'as oidc-provider does',
    json(400, 'invalid_request', `origin ${ownOrigin} not allowed for client: client`),
    ofOrigin('known'),
    'token: invalid_request',
  ],
  [
    'with a 403 and nothing else, as Keycloak does',
    () => new Response('', { status: 403 }),
    ofOrigin('guess'),
  ],
  [
    'with the page of a firewall',
    () => new Response('<p>Blocked', { status: 403, headers: { 'content-type': 'text/html' } }),
    undefined,
  ],
])(
  'a token endpoint that refuses the origin %s is told from one that refuses the request',
  async (_title, answer, diagnosis, detail) => {
    const { worker, window } = await setUpWindow({ answers: { '/token': answer } });
    worker.approve(window);
    await worker.expectSession({ status: 'signed-out', problem: { code: 'provider-misconfigured' } });
    const { problem } = worker.session() as SignedOut;
    expect(problem?.diagnosis).toEqual(diagnosis);
    if (detail !== undefined) expect(problem?.detail).toBe(detail);
  },
);

// Chromium ends a flow so at a second click on a slow link, at a mailto: link, and at a wrong password that is answered with 401.
describe('a window that the browser closes because a page in it failed', () => {
  const interrupted = {
    status: 'signed-out',
    problem: { code: 'interrupted', detail: pageFailed, window: 'closed-by-browser' },
  };

  /** A window that has appeared, and proves to be ours. */
  async function setUpShown(script: Script = {}) {
    const { worker, window } = await setUpWindow(script, 'chromium');
    await worker.showWindow();
    return { worker, window };
  }

  test('opens once more with the same request, and the user signs in there', async () => {
    const worker = setUpWorker({ manner: 'chromium' });
    const first = await worker.beginShown({
      type: 'sign-in',
      providerId: 'scripted',
      hint: 'ada@example.com',
    });
    await worker.showWindow();
    first.cannotLoad();
    const second = await worker.nextWindow();
    expect(worker.session()).toMatchObject({ status: 'signing-in' });
    const [one, other] = [first, second].map(({ url }) => new URL(url).searchParams);
    for (const name of ['prompt', 'login_hint', 'scope', 'redirect_uri'])
      expect(other?.get(name)).toBe(one?.get(name));
    expect(other?.get('state')).not.toBe(one?.get('state'));
    worker.approve(second);
    expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in', problem: null });
  });

  test('opens no third time, and the words are those of an interruption', async () => {
    const { worker, window } = await setUpShown();
    window.cannotLoad();
    const second = await worker.nextWindow();
    second.appear();
    await worker.showWindow();
    second.cannotLoad();
    await worker.expectSession(interrupted);
    expect(worker.windows).toHaveLength(2);
  });

  test('opens once more on a host that may not be seen, if it is the only one that has appeared', async () => {
    const worker = setUpWorker({ manner: 'chromium' });
    const window = await worker.begin();
    window.page = null;
    window.appear();
    window.cannotLoad();
    (await worker.nextWindow()).cannotLoad();
    await worker.expectSession({ problem: { code: 'sign-in-page-failed' } });
  });

  test('is not opened again by a cancelled sign-in', async () => {
    const answer = deferred<Response>();
    const { worker, window } = await setUpShown({ answers: { '/authorize': () => answer.promise } });
    window.cannotLoad();
    await expect.poll(() => worker.provider.paths()).toContain('/authorize');
    await worker.cancel();
    answer.resolve(new Response('Sign in'));
    await worker.rest();
    expect(worker.windows).toHaveLength(1);
    expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
  });

  test('is not opened again while the provider fails', async () => {
    const down = () => new Response('', { status: 500 });
    const { worker, window } = await setUpShown({ answers: { '/authorize': down } });
    window.cannotLoad();
    await worker.expectSession({
      status: 'signed-out',
      problem: { code: 'provider-unreachable', diagnosis: { cause: 'page-down' } },
    });
    expect(worker.windows).toHaveLength(1);
  });

  test('opens once more whatever status the provider answers a silent request with', async () => {
    const silent = () => Response.json({ error: 'not authenticated' }, { status: 401 });
    const { worker, window } = await setUpShown({ answers: { '/authorize': silent } });
    window.cannotLoad();
    worker.approve(await worker.nextWindow());
    expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in' });
  });
});

test('a page for signing in with 401, which Chromium does not show, is named', async () => {
  const script: Script = { answers: { '/authorize': new Response('Sign in', { status: 401 }) } };
  const worker = setUpWorker({ script, manner: 'chromium' });
  (await worker.begin()).cannotLoad();
  await worker.expectSession({
    problem: {
      code: 'provider-misconfigured',
      detail: 'sign-in page: HTTP 401',
      diagnosis: { cause: 'page-hidden', certainty: 'guess', register: null },
    },
  });
});

describe('a window that the user closes in Firefox, where a failed page stays in it,', () => {
  test('tells why the provider refuses the request', async () => {
    const { worker, window } = await setUpWindow({ answers: { '/authorize': refusal } }, 'firefox');
    window.close();
    await worker.expectSession({ status: 'signed-out', problem: refused });
  });

  test.each<[string, () => Response]>([
    ['the provider shows its page', () => new Response('Sign in')],
    ['the refusal is a guess', () => new Response('redirect_uri', { status: 400 })],
    ['the provider fails', () => new Response('', { status: 500 })],
  ])('was closed to cancel, if %s', async (_title, answer) => {
    const { worker, window } = await setUpWindow({ answers: { '/authorize': answer } }, 'firefox');
    window.close();
    await worker.expectSession({ status: 'signed-out', problem: { code: 'cancelled' } });
  });

  test.each([
    [true, { code: 'provider-misconfigured', diagnosis: { cause: 'request', certainty: 'known' } }],
    [false, { code: 'cancelled' }],
  ])('tells of a provider that takes a pushed request once (%s)', async (isOnce, problem) => {
    // RFC 9126 section 4 advises it.
    const used = new Set<string | null>();
    let pushed = 0;
    const script: Script = {
      metadata: { pushed_authorization_request_endpoint: `${issuer}/par` },
      answers: {
        '/par': () => {
          pushed += 1;
          return Response.json({ request_uri: `urn:request:${pushed}`, expires_in: 60 }, { status: 201 });
        },
        '/authorize'() {
          const reference = new URL(worker.provider.requests.at(-1)?.url ?? '').searchParams.get(
            'request_uri',
          );
          if (isOnce && used.has(reference)) return new Response('Sorry', { status: 400 });
          used.add(reference);
          return new Response('Sign in');
        },
      },
    };
    const worker = setUpWorker({ script, manner: 'firefox', providers: [{ ...scripted, par: 'always' }] });
    const window = await worker.beginShown();
    expect(worker.loads).toEqual([window.url, window.url]);
    window.close();
    await worker.expectSession({ status: 'signed-out', problem });
  });
});
