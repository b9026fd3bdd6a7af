import { createHash } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { HttpBrowser, signInOverHttp } from '../../support/http-browser.ts';
import { asa, marisol } from '../../../tools/demo-provider/people.ts';
import {
  type DemoProvider,
  type DemoProviderOptions,
  startDemoProvider,
} from '../../../tools/demo-provider/provider.ts';

const redirectUri = 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/demo';
const firefoxRedirectUri = 'https://0123456789abcdef0123456789abcdef01234567.extensions.allizom.org/demo';

const running: DemoProvider[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.close()));
});

async function start(options: DemoProviderOptions = {}): Promise<DemoProvider> {
  const provider = await startDemoProvider({ redirectUris: [redirectUri, firefoxRedirectUri], ...options });
  running.push(provider);
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

async function post(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

function redeem(provider: DemoProvider, redirected: string, headers?: Readonly<Record<string, string>>) {
  const fields = {
    grant_type: 'authorization_code',
    client_id: provider.clientId,
    code: parametersOf(redirected)['code'] ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return post(`${provider.issuer}/token`, fields, headers);
}

function refresh(provider: DemoProvider, refreshToken: unknown) {
  const fields = {
    grant_type: 'refresh_token',
    client_id: provider.clientId,
    refresh_token: String(refreshToken),
  };
  return post(`${provider.issuer}/token`, fields);
}

async function signIn(provider: DemoProvider, browser = new HttpBrowser()) {
  return (await redeem(provider, await signInOverHttp(authorizationUrl(provider), { browser }))).body;
}

function parametersOf(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url).searchParams);
}

function bearer(token: unknown): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** How many of the provider's pages have been submitted. */
function answersGiven(provider: DemoProvider): number {
  return provider.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/interaction/'))
    .length;
}

test('the demo provider redirects a sign-in back with a code, the state and the issuer', async () => {
  const provider = await start();
  const redirected = await signInOverHttp(authorizationUrl(provider));
  expect(redirected.split('?')[0]).toBe(redirectUri);
  expect(parametersOf(redirected)).toEqual({
    code: expect.any(String),
    state: 'the-state',
    iss: provider.issuer,
  });
});

test('the token endpoint redeems a code for tokens, with a valid ID token that names the person', async () => {
  const provider = await start();
  const { status, body } = await redeem(provider, await signInOverHttp(authorizationUrl(provider)));
  expect(status).toBe(200);
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300, refresh_token: expect.any(String) });

  const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`));
  const { payload } = await jwtVerify(String(body['id_token']), keys, {
    issuer: provider.issuer,
    audience: provider.clientId,
  });
  expect(payload).toMatchObject({
    sub: marisol.id,
    nonce: 'the-nonce',
    name: marisol.name,
    email: marisol.email,
    email_verified: true,
    picture: `${provider.issuer}/people/marisol.svg`,
  });
  const picture = await fetch(String(payload['picture']));
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
});

test('the demo provider accepts the redirect URI of Firefox and rejects an unregistered one', async () => {
  const provider = await start();
  const url = authorizationUrl(provider, { redirect_uri: firefoxRedirectUri });
  expect(await signInOverHttp(url)).toContain(`${firefoxRedirectUri}?code=`);
  const foreign = authorizationUrl(provider, { redirect_uri: 'https://example.com/demo' });
  await expect(signInOverHttp(foreign)).rejects.toThrow('"This did not work" (status 400)');
});

test('the demo provider rejects a request without PKCE', async () => {
  const provider = await start();
  const url = new URL(authorizationUrl(provider));
  url.searchParams.delete('code_challenge');
  url.searchParams.delete('code_challenge_method');
  expect(parametersOf(await signInOverHttp(url.href))).toMatchObject({ error: 'invalid_request' });
});

test.each(['cancel', 'deny'] as const)('pressing %s ends the sign-in with access_denied', async (answer) => {
  const provider = await start();
  const redirected = await signInOverHttp(authorizationUrl(provider), { answer });
  expect(parametersOf(redirected)).toMatchObject({
    error: 'access_denied',
    state: 'the-state',
    iss: provider.issuer,
  });
});

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

test('prompt=none without a session ends with login_required', async () => {
  const provider = await start();
  const redirected = await signInOverHttp(authorizationUrl(provider, { prompt: 'none' }));
  expect(parametersOf(redirected)).toMatchObject({ error: 'login_required' });
});

test('prompt=select_account lets a signed-in person choose another account', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const { refresh_token: first } = await signIn(provider, browser);
  const url = authorizationUrl(provider, { prompt: 'select_account' });
  const { body } = await redeem(provider, await signInOverHttp(url, { browser, person: asa.id }));
  expect(decodeJwt(String(body['id_token'])).sub).toBe(asa.id);
  expect((await refresh(provider, first)).status).toBe(200);
});

test('a refresh token works once; a second use revokes its own family only', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const { refresh_token: first } = await signIn(provider, browser);
  const { refresh_token: other } = await signIn(provider, browser);

  const renewed = await refresh(provider, first);
  expect(renewed.status).toBe(200);
  expect(decodeJwt(String(renewed.body['id_token']))).toMatchObject({ sub: marisol.id, name: marisol.name });
  expect(renewed.body['refresh_token']).not.toBe(first);

  expect(await refresh(provider, first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await refresh(provider, renewed.body['refresh_token'])).toMatchObject({ status: 400 });
  expect(await refresh(provider, other)).toMatchObject({ status: 200 });
});

test('revoking a refresh token ends its access token too, and the next sign-in asks no questions', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const tokens = await signIn(provider, browser);
  const revoked = await post(`${provider.issuer}/revoke`, {
    client_id: provider.clientId,
    token: String(tokens['refresh_token']),
  });
  expect(revoked.status).toBe(200);
  expect((await refresh(provider, tokens['refresh_token'])).status).toBe(400);
  const me = await fetch(`${provider.issuer}/api/me`, { headers: bearer(tokens['access_token']) });
  expect(me.status).toBe(401);
  await signIn(provider, browser);
  expect(answersGiven(provider)).toBe(2);
});

test('a pushed authorization request signs in and respects offline_access', async () => {
  const provider = await start();
  const pushed = await post(
    `${provider.issuer}/par`,
    Object.fromEntries(new URL(authorizationUrl(provider)).searchParams),
  );
  expect(pushed.status).toBe(201);
  const query = new URLSearchParams({
    client_id: provider.clientId,
    request_uri: String(pushed.body['request_uri']),
  });
  const { body } = await redeem(provider, await signInOverHttp(`${provider.issuer}/auth?${query}`));
  expect(body).toHaveProperty('refresh_token');
});

test('the logout page ends the provider session and redirects back', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const tokens = await signIn(provider, browser);
  const query = new URLSearchParams({
    id_token_hint: String(tokens['id_token']),
    post_logout_redirect_uri: redirectUri,
    state: 'out',
  });
  const question = await browser.open(`${provider.issuer}/session/end?${query}`);
  expect(question.heading).toBe('Sign out of the demo provider?');
  const end = await browser.press(question, 'logout');
  expect(end.url).toBe(`${redirectUri}?state=out`);
  const silent = await signInOverHttp(authorizationUrl(provider, { prompt: 'none' }), { browser });
  expect(parametersOf(silent)).toMatchObject({ error: 'login_required' });
});

test('the API names the caller', async () => {
  const provider = await start();
  const { access_token: token } = await signIn(provider);
  const me = await fetch(`${provider.issuer}/api/me`, { headers: bearer(token) });
  expect(await me.json()).toEqual({
    sub: marisol.id,
    name: marisol.name,
    client_id: provider.clientId,
    scope: 'openid profile email',
  });
});

/** Calls the API with a new token. */
async function callApi(path: string, init: RequestInit = {}, provider?: DemoProvider) {
  const called = provider ?? (await start());
  const { access_token: token } = await signIn(called);
  return fetch(`${called.issuer}${path}`, { headers: bearer(token), redirect: 'manual', ...init });
}

test.each([
  ['/api/bytes', 400],
  ['/api/bytes?size=-1', 400],
  ['/api/slow?ms=soon', 400],
  ['/api/status/99', 404],
  ['/api/status/1000', 404],
  ['/api/nowhere', 404],
])('the API responds to %s with status %i', async (path, status) => {
  expect((await callApi(path)).status).toBe(status);
});

test('the API rejects a call without a token of this provider', async () => {
  const provider = await start();
  const elsewhere = await start();
  const foreign = await signIn(elsewhere);
  for (const headers of [{}, bearer('made-up'), bearer(foreign['access_token'])]) {
    const response = await fetch(`${provider.issuer}/api/me`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
  }
});

test('startDemoProvider names a port that is taken and says what to do', async () => {
  const provider = await start();
  const port = Number(new URL(provider.issuer).port);
  await expect(startDemoProvider({ port })).rejects.toThrow(
    `The demo provider cannot start: port ${port} is taken. Stop the program that uses it (another \`npm start\`?), then try again.`,
  );
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
