// A provider whose sign-in page answers with the ID token: the whole worker without an access token and a refresh token.

import { describe, expect, test } from 'vitest';
import { discovery, hour, setUpWorker, type WorkerSetup } from '../support/worker-setup.ts';
import { provider as scripted, issuer, type Script } from '../support/scripted-provider.ts';
import { apiOrigin } from '../support/scripted-api.ts';

const byIdToken = { responseType: 'id_token', apiToken: 'id_token', apiOrigins: [apiOrigin] } as const;
const provider = { ...scripted, ...byIdToken };

async function signedIn(given: Script = {}, setup: WorkerSetup = {}) {
  const script: Script = {
    // The response names the issuer in the ID token alone.
    metadata: { authorization_response_iss_parameter_supported: false, token_endpoint: undefined },
    ...given,
    provider: { responseType: 'id_token' },
  };
  const worker = setUpWorker({ providers: [provider], ...setup, script });
  worker.silence.answer = worker.provider.approveWithIdToken;
  await worker.signIn();
  return { worker, clock: worker.clock, script };
}

test('a user signs in, and neither the token endpoint nor UserInfo is asked, although the picture is missing', async () => {
  const { worker } = await signedIn();
  await worker.rest();
  expect(worker.session()).toMatchObject({
    status: 'signed-in',
    problem: null,
    profile: { subject: 'ada', name: 'Ada Lovelace', picture: null },
  });
  expect(new Set(worker.provider.paths())).toEqual(new Set([discovery, '/keys']));
});

test('a feature’s request carries the ID token as Bearer, and no board or storage holds it', async () => {
  const { worker } = await signedIn();
  await worker.fetch(apiOrigin);
  const { token, headers } = worker.api.calls[0]!;
  expect(token).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(headers.get('authorization')).toBe(`Bearer ${token}`);
  expect(worker.silence.urls).toEqual([]);
  const stored = JSON.stringify([...worker.local.items, ...worker.memory.items]);
  expect(stored).toContain('Ada Lovelace');
  for (const part of token!.split('.')) expect(stored).not.toContain(part);
});

describe('when the ID token has expired', () => {
  test('a request waits for another one, which a silent sign-in brings with a nonce of its own', async () => {
    const { worker, clock } = await signedIn();
    const first = new URL(worker.windows[0]?.url ?? '').searchParams;
    clock.nowMs += hour;
    const asked = Array.from({ length: 5 }, () => worker.fetch(apiOrigin));
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    expect(worker.silence.urls).toHaveLength(1);
    const second = new URL(worker.silence.urls[0] ?? '').searchParams;
    expect(Object.fromEntries(second)).toMatchObject({
      response_type: 'id_token',
      prompt: 'none',
      login_hint: 'ada@example.com',
    });
    expect(second.get('nonce')).not.toBe(first.get('nonce'));
    expect(second.get('state')).not.toBe(first.get('state'));
    // The token is one that APIs take, so it is in no address.
    expect(second.has('id_token_hint')).toBe(false);
    expect(worker.session()).toMatchObject({ status: 'signed-in', problem: null });
  });

  test('a response to an earlier request renews nothing', async () => {
    const { worker, clock } = await signedIn();
    const old = await worker.provider.approveWithIdToken(worker.windows[0]?.url ?? '');
    clock.nowMs += hour;
    worker.silence.answer = () => Promise.resolve(old);
    await expect(worker.fetch(apiOrigin)).rejects.toMatchObject({ reason: 'renewal-failed' });
    expect(worker.session()).toMatchObject({ status: 'signed-in', problem: { code: 'response-rejected' } });
  });
});

test('a page that failed is asked about with a request of the same flow', async () => {
  const worker = setUpWorker({ providers: [provider], script: { provider: { responseType: 'id_token' } } });
  (await worker.begin()).fail('Authorization page could not be loaded.');
  await worker.expectSession({ status: 'signed-out' });
  const probe = worker.provider.requests.find(({ path }) => path === '/authorize');
  expect(new URL(probe?.url ?? issuer).searchParams.get('response_type')).toBe('id_token');
});

describe('with the loopback redirect', () => {
  const hash = 'bae1b49efb3234f3878b25c10c1f5eced9e067f6';
  const loopback = `http://127.0.0.1/mozoauth2/${hash}/scripted`;
  const firefox = {
    redirectBase: `https://${hash}.extensions.allizom.org/`,
    providers: [{ ...provider, firefoxRedirect: 'loopback' }],
  } as const;

  test('Firefox gets it in the request, and the response has to come there', async () => {
    const { worker } = await signedIn({}, firefox);
    const { searchParams } = new URL(worker.windows[0]?.url ?? '');
    expect(searchParams.get('redirect_uri')).toBe(loopback);
    expect(worker.session()).toMatchObject({ status: 'signed-in' });
  });

  test('a sign-out everywhere returns to the extension’s own host, which Firefox expects without a request', async () => {
    const metadata = { end_session_endpoint: `${issuer}/logout` };
    const { worker } = await signedIn({ metadata }, firefox);
    await worker.begin({ type: 'sign-out', everywhere: true });
    const { searchParams } = new URL(worker.windows[1]?.url ?? '');
    expect(searchParams.get('post_logout_redirect_uri')).toBe(`${firefox.redirectBase}scripted`);
  });
});
