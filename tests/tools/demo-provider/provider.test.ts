import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer } from 'node:net';
import { promisify } from 'node:util';
import {
  type GenerateKeyPairResult,
  SignJWT,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
} from 'jose';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { isLong } from '../../support/extent.ts';
import { holdTime } from '../../support/held-time.ts';
import { HttpBrowser, signInOverHttp } from '../../support/http-browser.ts';
import { stopClock } from '../../support/stop-clock.ts';
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

test('the second person has no picture', async () => {
  const provider = await start();
  const redirected = await signInOverHttp(authorizationUrl(provider), { person: asa.id });
  const claims = decodeJwt(String((await redeem(provider, redirected)).body['id_token']));
  expect(claims).toMatchObject({ sub: asa.id, name: asa.name, email: asa.email });
  expect(claims).not.toHaveProperty('picture');
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

test('login_hint puts the named account first, by e-mail and by id', async () => {
  const provider = await start();
  for (const login_hint of [asa.email, asa.id]) {
    const { html } = await new HttpBrowser().open(authorizationUrl(provider, { login_hint }));
    expect(/name="account" value="(\w+)" autofocus/.exec(html)?.[1]).toBe(asa.id);
    expect(html.indexOf(asa.email)).toBeLessThan(html.indexOf(marisol.email));
  }
});

test('a page that is submitted twice says that the sign-in is over', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const accounts = await browser.open(authorizationUrl(provider));
  await browser.press(accounts, 'account', marisol.id);
  const again = await browser.press(accounts, 'account', marisol.id);
  expect(again).toMatchObject({ status: 400, heading: 'This sign-in is over' });
});

test('the demo provider rejects a button that the page does not have', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const accounts = await browser.open(authorizationUrl(provider));
  const rejected = await browser.press(accounts, 'account', 'nobody');
  expect(rejected).toMatchObject({ status: 400, heading: 'That is not an answer' });
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

test('the token endpoint issues no refresh token without offline_access', async () => {
  const provider = await start();
  const url = authorizationUrl(provider, { scope: 'openid profile' });
  const { body } = await redeem(provider, await signInOverHttp(url));
  expect(body).toHaveProperty('access_token');
  expect(body).not.toHaveProperty('refresh_token');
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

test('UserInfo contains the claims that the ID token leaves out', async () => {
  const provider = await start({ profileInIdToken: false });
  const tokens = await signIn(provider);
  expect(decodeJwt(String(tokens['id_token']))).not.toHaveProperty('name');
  const response = await fetch(`${provider.issuer}/userinfo`, { headers: bearer(tokens['access_token']) });
  expect(await response.json()).toMatchObject({ sub: marisol.id, name: marisol.name, email: marisol.email });
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

test('a logout without a redirect URI ends on a page of the provider', async () => {
  const provider = await start();
  const end = await new HttpBrowser().open(`${provider.issuer}/session/end`);
  expect(end).toMatchObject({ status: 200, heading: 'You are signed out' });
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

test('the API echoes a request without its token', async () => {
  const provider = await start();
  const { access_token: token } = await signIn(provider);
  const body = randomBytes(3_000_000);
  const echo = await fetch(`${provider.issuer}/api/echo`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/octet-stream', 'x-mine': 'yes' },
    body,
  });
  const answer = await echo.text();
  expect(JSON.parse(answer)).toEqual({
    method: 'POST',
    bytes: 3_000_000,
    contentType: 'application/octet-stream',
    sha256: createHash('sha256').update(body).digest('hex'),
    headers: expect.objectContaining({ 'x-mine': 'yes' }),
  });
  expect(answer).not.toContain(token);
});

/** Calls the API with a new token. */
async function callApi(path: string, init: RequestInit = {}, provider?: DemoProvider) {
  const called = provider ?? (await start());
  const { access_token: token } = await signIn(called);
  return fetch(`${called.issuer}${path}`, { headers: bearer(token), redirect: 'manual', ...init });
}

test('the API sends the requested number of bytes, the same each time', async () => {
  const answer = await callApi('/api/bytes?size=200000');
  expect(answer.headers.get('content-length')).toBe('200000');
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(bytes.length).toBe(200_000);
  expect([bytes[0], bytes[250], bytes[251], bytes[65_536]]).toEqual([0, 250, 0, 0]);
  expect((await (await callApi('/api/bytes?size=0')).arrayBuffer()).byteLength).toBe(0);
});

test('the API sends bytes at the speed of the reader, and stops when the reader leaves', async () => {
  const provider = await start();
  const { access_token: token } = await signIn(provider);
  const before = process.memoryUsage().arrayBuffers;
  const leave = new AbortController();
  const answer = await fetch(`${provider.issuer}/api/bytes?size=5000000000`, {
    headers: bearer(token),
    signal: leave.signal,
  });
  const reader = answer.body?.getReader();
  for (let read = 0; read < 10_000_000;) read += (await reader?.read())?.value?.byteLength ?? Infinity;
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200_000_000);
  leave.abort();
  expect((await fetch(`${provider.issuer}/jwks`)).status).toBe(200);
});

test('the API delays a response as requested', async () => {
  const time = holdTime();
  const provider = await start({ pass: time.pass });
  const ask = async (ms: number) => (await callApi(`/api/slow?ms=${ms}`, {}, provider)).json();
  const [soon, late] = [ask(1), ask(300)];
  expect(await time.waiting(2)).toEqual([1, 300]);
  time.advance(1);
  expect(await soon).toEqual({ ms: 1 });
  expect(await time.waiting(1)).toEqual([299]);
  time.advance(299);
  expect(await late).toEqual({ ms: 300 });
});

test('the API redirects to a requested path or host', async () => {
  const provider = await start();
  const near = await callApi('/api/redirect?to=/api/me', {}, provider);
  expect([near.status, near.headers.get('location')]).toEqual([302, `${provider.issuer}/api/me`]);
  const far = await callApi('/api/redirect?to=https://elsewhere.example/', {}, provider);
  expect(far.headers.get('location')).toBe('https://elsewhere.example/');
});

test.each([200, 204, 304, 401, 403, 429, 500, 503, 599])(
  'the API responds with status %i on request',
  async (status) => {
    expect((await callApi(`/api/status/${status}`)).status).toBe(status);
  },
);

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

test('an additional scope needs consent once, and only tokens with it reach the scoped API', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const ask = async (token: unknown) =>
    fetch(`${provider.issuer}/api/scoped?scope=notes.read`, { headers: bearer(token) });

  const { access_token: narrow } = await signIn(provider, browser);
  const refused = await ask(narrow);
  expect(refused.status).toBe(403);
  expect(refused.headers.get('www-authenticate')).toBe(
    'Bearer error="insufficient_scope", scope="notes.read"',
  );

  const scope = 'openid profile email offline_access notes.read';
  const silent = await signInOverHttp(authorizationUrl(provider, { scope, prompt: 'none' }), { browser });
  expect(parametersOf(silent)).toMatchObject({ error: 'consent_required' });
  const before = answersGiven(provider);
  const { body: wide } = await redeem(
    provider,
    await signInOverHttp(authorizationUrl(provider, { scope }), { browser }),
  );
  expect(answersGiven(provider)).toBe(before + 1);
  expect(await (await ask(wide['access_token'])).json()).toEqual({ scope: 'notes.read' });

  const renewed = await refresh(provider, wide['refresh_token']);
  expect((await ask(renewed.body['access_token'])).status).toBe(200);
  const again = await signInOverHttp(authorizationUrl(provider, { scope, prompt: 'none' }), { browser });
  expect(parametersOf(again)).toHaveProperty('code');
  expect((await ask((await signIn(provider, browser))['access_token'])).status).toBe(403);
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

test('the API rejects an expired access token', async () => {
  stopClock();
  const provider = await start({ accessTokenSeconds: 60 });
  const { access_token: token } = await signIn(provider);
  const statusAfter = async (seconds: number) => {
    vi.setSystemTime(Date.now() + seconds * 1000);
    return (await fetch(`${provider.issuer}/api/me`, { headers: bearer(token) })).status;
  };
  expect(await statusAfter(59)).toBe(200);
  expect(await statusAfter(1)).toBe(401);
});

test.each(['GET', 'OPTIONS'])('the API sends no CORS header on %s', async (method) => {
  const provider = await start();
  const response = await fetch(`${provider.issuer}/api/me`, {
    method,
    headers: { origin: 'chrome-extension://abc' },
  });
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  expect(response.ok).toBe(false);
});

interface Proof {
  readonly key: GenerateKeyPairResult;
  readonly method: string;
  readonly url: string;
  readonly token?: unknown;
}

async function prove({ key, method, url, token }: Proof): Promise<string> {
  const ath = createHash('sha256').update(String(token)).digest('base64url');
  return new SignJWT({
    htm: method,
    htu: url,
    jti: randomBytes(8).toString('hex'),
    ...(token ? { ath } : {}),
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(key.publicKey) })
    .setIssuedAt()
    .sign(key.privateKey);
}

test('the API accepts a DPoP token only with a proof by its key for this request', async () => {
  const provider = await start();
  const key = await generateKeyPair('ES256');
  const dpop = await prove({ key, method: 'POST', url: `${provider.issuer}/token` });
  const redirected = await signInOverHttp(authorizationUrl(provider));
  const { body } = await redeem(provider, redirected, { dpop });
  expect(body['token_type']).toBe('DPoP');

  const token = body['access_token'];
  const url = `${provider.issuer}/api/me`;
  const good: Proof = { key, method: 'GET', url, token };
  const statusOf = async (proof: Proof) => {
    const headers = { authorization: `DPoP ${token}`, dpop: await prove(proof) };
    return (await fetch(url, { headers })).status;
  };
  expect(await statusOf(good)).toBe(200);
  expect(await statusOf({ ...good, method: 'POST' })).toBe(401);
  expect(await statusOf({ ...good, url: `${provider.issuer}/api/echo` })).toBe(401);
  expect(await statusOf({ ...good, token: 'another' })).toBe(401);
  expect(await statusOf({ ...good, key: await generateKeyPair('ES256') })).toBe(401);
  expect((await fetch(url, { headers: bearer(token) })).status).toBe(401);
});

test('rotateSigningKeys signs with a new key, keeps the old one published, and keeps sessions and tokens valid', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const before = await signIn(provider, browser);
  await provider.rotateSigningKeys();
  const after = await refresh(provider, before['refresh_token']);
  const [oldId, newId] = [before['id_token'], after.body['id_token']].map(
    (token) => decodeProtectedHeader(String(token)).kid,
  );
  expect(newId).not.toBe(oldId);
  const { keys } = (await (await fetch(`${provider.issuer}/jwks`)).json()) as { keys: { kid: string }[] };
  expect(keys.map(({ kid }) => kid)).toEqual([newId, oldId]);
  const silent = await signInOverHttp(authorizationUrl(provider, { prompt: 'none' }), { browser });
  expect(parametersOf(silent)).toHaveProperty('code');
});

test('requests records the grant type, origin and cookie of each request', async () => {
  const provider = await start();
  const origin = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
  const redirected = await signInOverHttp(authorizationUrl(provider));
  await redeem(provider, redirected, { origin, cookie: 'a=b' });
  expect(provider.requests.at(-1)).toEqual({
    method: 'POST',
    path: '/token',
    status: 200,
    arrivedAtMs: expect.any(Number),
    answeredAtMs: expect.any(Number),
    grantType: 'authorization_code',
    origin,
    cookie: 'a=b',
  });
  expect(provider.requests[0]).toMatchObject({ method: 'GET', path: '/auth', status: 303 });
});

test.each(['127.0.0.1', '::1'])('the demo provider listens on %s', async (host) => {
  const provider = await start();
  const socket = connect({ host, port: Number(new URL(provider.issuer).port) });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.destroy();
});

test('startDemoProvider names a port that is taken and says what to do', async () => {
  const provider = await start();
  const port = Number(new URL(provider.issuer).port);
  await expect(startDemoProvider({ port })).rejects.toThrow(
    `The demo provider cannot start: port ${port} is taken. Stop the program that uses it (another \`npm start\`?), then try again.`,
  );
});

test('startDemoProvider names a port that is taken on the IPv6 address only', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen({ host: '::1', port: 0 }, () => resolve()));
  const { port } = squatter.address() as AddressInfo;
  await expect(startDemoProvider({ port })).rejects.toThrow(`port ${port} is taken`);
  await new Promise((resolve) => squatter.close(resolve));
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

// A process of its own takes a second to start.
test.runIf(isLong)('a sign-in, a rejected request and a logout print nothing on the terminal', async () => {
  const script = `
    import { HttpBrowser, signInOverHttp } from '../../support/http-browser.ts';
    import { startDemoProvider } from '../../../tools/demo-provider/provider.ts';
    const provider = await startDemoProvider({ redirectUris: ['${redirectUri}'] });
    const url = ${JSON.stringify(authorizationUrl({ issuer: 'ISSUER', clientId: 'latchkey-demo' } as DemoProvider))};
    const browser = new HttpBrowser();
    await signInOverHttp(url.replace('ISSUER', provider.issuer), { browser });
    await fetch(provider.issuer + '/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'none' }) });
    await fetch(provider.issuer + '/auth');
    await fetch(provider.issuer + '/nowhere');
    const question = await browser.open(provider.issuer + '/session/end');
    await browser.press(question, 'logout');
    await provider.close();
  `;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { cwd: import.meta.dirname },
  );
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
});

test('a provider that is far away answers late, and records when a request arrived and was answered', async () => {
  const time = holdTime();
  const provider = await start({ delayMs: 50, pass: time.pass });
  const answer = fetch(`${provider.issuer}/.well-known/openid-configuration`);
  expect(await time.waiting(1)).toEqual([50]);
  const betweenMs = performance.timeOrigin + performance.now();
  time.advance(50);
  await answer;
  await expect.poll(() => provider.requests.length).toBe(1);
  const [{ arrivedAtMs, answeredAtMs } = { arrivedAtMs: NaN, answeredAtMs: NaN }] = provider.requests;
  expect(arrivedAtMs).toBeLessThanOrEqual(betweenMs);
  expect(answeredAtMs).toBeGreaterThanOrEqual(betweenMs);
});
