// The demo provider's own behaviour. tests/oidc/demo-provider.test.ts runs the protocol against it.

import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HttpBrowser, signInOverHttp } from '../../support/http-browser.ts';
import { asa, marisol } from '../../../tools/demo-provider/people.ts';
import {
  type DemoProvider,
  type DemoProviderOptions,
  startDemoProvider,
} from '../../../tools/demo-provider/provider.ts';

const redirectUri = 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/demo';

async function start(options: DemoProviderOptions = {}): Promise<DemoProvider> {
  const provider = await startDemoProvider({ redirectUris: [redirectUri], ...options });
  onTestFinished(() => provider.close());
  return provider;
}

const verifier = 'a-verifier-that-is-long-enough-for-rfc-7636-0123456789';

function authorizationUrl(provider: DemoProvider, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return `${provider.issuer}/auth?${query}`;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(url: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

function refresh(provider: DemoProvider, refreshToken: unknown) {
  const fields = {
    grant_type: 'refresh_token',
    client_id: provider.clientId,
    refresh_token: String(refreshToken),
  };
  return post(`${provider.issuer}/token`, fields);
}

async function signIn(provider: DemoProvider, browser = new HttpBrowser(), person = marisol) {
  const redirected = await signInOverHttp(authorizationUrl(provider), { browser, person: person.id });
  const { body } = await post(`${provider.issuer}/token`, {
    grant_type: 'authorization_code',
    client_id: provider.clientId,
    code: parametersOf(redirected)['code'] ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  return body;
}

function parametersOf(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url).searchParams);
}

/** Calls the API with a token. */
function call({ issuer }: DemoProvider, path: string, token: unknown, init: RequestInit = {}) {
  return fetch(`${issuer}/api/${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
}

/** How many of the provider's pages have been submitted. */
function answersGiven(provider: DemoProvider): number {
  return provider.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/interaction/'))
    .length;
}

test.each([
  { later: {}, answers: 0, why: 'it asks nothing' },
  { later: { prompt: 'none' }, answers: 0, why: 'prompt=none succeeds' },
  { later: { prompt: 'login' }, answers: 1, why: 'prompt=login asks for the account' },
  { later: { prompt: 'select_account' }, answers: 1, why: 'prompt=select_account asks for the account' },
  { later: { prompt: 'consent' }, answers: 1, why: 'prompt=consent asks for consent' },
])('a first sign-in takes two answers; later in the same browser $why', async ({ later, answers }) => {
  const provider = await start();
  const browser = new HttpBrowser();
  await signInOverHttp(authorizationUrl(provider), { browser });
  expect(answersGiven(provider)).toBe(2);
  const redirected = await signInOverHttp(authorizationUrl(provider, later), { browser });
  expect(parametersOf(redirected)).toHaveProperty('code');
  expect(answersGiven(provider)).toBe(2 + answers);
});

test('a second use of a refresh token ends its own sign-in, and no other one of the same person', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const { refresh_token: first } = await signIn(provider, browser);
  const { refresh_token: other } = await signIn(provider, browser);
  expect(await refresh(provider, first)).toMatchObject({ status: 200 });
  expect(await refresh(provider, first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await refresh(provider, other)).toMatchObject({ status: 200 });
});

test('revoking a refresh token ends its access token too, and the next sign-in asks no questions', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const tokens = await signIn(provider, browser);
  expect(tokens['expires_in']).toBe(300);
  const revoked = await post(`${provider.issuer}/revoke`, {
    client_id: provider.clientId,
    token: String(tokens['refresh_token']),
  });
  expect(revoked.status).toBe(200);
  expect((await refresh(provider, tokens['refresh_token'])).status).toBe(400);
  expect((await call(provider, 'me', tokens['access_token'])).status).toBe(401);
  await signIn(provider, browser);
  expect(answersGiven(provider)).toBe(2);
});

test('the API names the caller', async () => {
  const provider = await start();
  const { access_token: token } = await signIn(provider);
  expect(await (await call(provider, 'me', token)).json()).toEqual({
    sub: marisol.id,
    name: marisol.name,
    client_id: provider.clientId,
    scope: 'openid profile email',
  });
});

test.each([
  ['slow?ms=1', 200],
  ['scoped?scope=openid', 200],
  ['scoped?scope=notes.read', 403],
  ['nowhere', 404],
])('the API responds to /api/%s with status %i', async (path, status) => {
  const provider = await start();
  const { access_token: token } = await signIn(provider);
  expect((await call(provider, path, token)).status).toBe(status);
});

test('the API keeps a list of tasks for each person, the newest first', async () => {
  const provider = await start();
  const [ofMarisol, ofAsa] = await Promise.all([signIn(provider), signIn(provider, new HttpBrowser(), asa)]);
  const read = async ({ access_token: token }: typeof ofAsa) => {
    const { tasks } = (await (await call(provider, 'tasks', token)).json()) as {
      readonly tasks: readonly { readonly text: string }[];
    };
    return tasks.map(({ text }) => text);
  };
  const add = async (body: string) =>
    (await call(provider, 'tasks', ofMarisol['access_token'], { method: 'POST', body })).status;
  const before = await read(ofMarisol);
  expect(await add(JSON.stringify({ text: ' Buy bread ' }))).toBe(201);
  for (const body of ['{}', 'no JSON', 'null', '{"text":" "}', JSON.stringify({ text: 'a'.repeat(201) })]) {
    expect(await add(body)).toBe(400);
  }
  expect(await read(ofMarisol)).toEqual(['Buy bread', ...before]);
  expect(await read(ofAsa)).toEqual(before);
});

test('the API rejects a call without a token of this provider', async () => {
  const provider = await start();
  const elsewhere = await start();
  const foreign = await signIn(elsewhere);
  const asking = ['made-up', foreign['access_token']].map((token) => call(provider, 'me', token));
  for (const response of await Promise.all([fetch(`${provider.issuer}/api/me`), ...asking])) {
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
  }
});

test('close ends open connections, frees the port, and may be called twice', async () => {
  const provider = await start();
  const port = Number(new URL(provider.issuer).port);
  await fetch(`${provider.issuer}/jwks`);
  await provider.close();
  await provider.close();
  const next = await start({ port });
  expect(next.issuer).toBe(provider.issuer);
});

test('a sign-in, a rejected request and a logout print nothing', async () => {
  const printed: unknown[] = [];
  const note = (...parts: readonly unknown[]) => printed.push(parts) > 0;
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(note);
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const)
    vi.spyOn(console, method).mockImplementation(note);
  process.on('warning', note);
  onTestFinished(() => {
    process.off('warning', note);
    vi.restoreAllMocks();
  });
  const provider = await start();
  const browser = new HttpBrowser();
  await signInOverHttp(authorizationUrl(provider), { browser });
  await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'none' }),
  });
  await fetch(`${provider.issuer}/auth`);
  await fetch(`${provider.issuer}/nowhere`);
  const question = await browser.open(`${provider.issuer}/session/end`);
  await browser.press(question, 'logout');
  await provider.close();
  expect(printed).toEqual([]);
});
