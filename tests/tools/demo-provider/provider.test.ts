// The demo provider's own behaviour. tests/oidc/demo-provider.test.ts runs the protocol against it.

import { expect, onTestFinished, test, vi } from 'vitest';
import { discover } from '../../support/discover.ts';
import { revokeToken } from '../../../src/oidc/end.ts';
import { codeFlow } from '../../../src/oidc/code-flow.ts';
import { createProviderClient } from '../../../src/oidc/http.ts';
import { toApiToken } from '../../../src/oidc/tokens.ts';
import { HttpBrowser, signInOverHttp } from '../../support/http-browser.ts';
import { provider as scripted, toWorld } from '../../support/scripted-provider.ts';
import { signInBy } from '../../support/sign-in.ts';
import { accountPage, consentPage, logoutPage, signedOutPage } from '../../../tools/demo-provider/pages.ts';
import { marisol, people } from '../../../tools/demo-provider/people.ts';
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

function createClient({ issuer, clientId }: DemoProvider) {
  return createProviderClient(toWorld(fetch), { ...scripted, id: 'demo', issuer, clientId });
}

async function signIn(provider: DemoProvider, browser = new HttpBrowser(), user = marisol, prompt = '') {
  const open = (url: string) => signInOverHttp(url, { browser, user: user.id });
  // The extension asks for two of them alone.
  const options = prompt === '' ? {} : { prompt: prompt as 'none' };
  const { tokens } = await signInBy(codeFlow, createClient(provider), redirectUri, open, options);
  return { ...tokens, token: toApiToken(tokens), refreshToken: tokens.refreshToken ?? '' };
}

function refresh({ issuer, clientId }: DemoProvider, refreshToken: string) {
  const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
  return fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Calls the API with a token. */
function call({ issuer }: DemoProvider, path: string, token: string, init: RequestInit = {}) {
  return fetch(`${issuer}/api/${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
}

/** How many of the provider's pages have been submitted. */
function answersGiven(provider: DemoProvider): number {
  return provider.requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/interaction/'))
    .length;
}

test.each([
  { prompt: '', answers: 0, why: 'it asks nothing' },
  { prompt: 'none', answers: 0, why: 'prompt=none succeeds' },
  { prompt: 'login', answers: 1, why: 'prompt=login asks for the account' },
  { prompt: 'select_account', answers: 1, why: 'prompt=select_account asks for the account' },
  { prompt: 'consent', answers: 1, why: 'prompt=consent asks for consent' },
])('a first sign-in takes two answers; later in the same browser $why', async ({ prompt, answers }) => {
  const provider = await start();
  const browser = new HttpBrowser();
  await signIn(provider, browser);
  expect(answersGiven(provider)).toBe(2);
  await signIn(provider, browser, marisol, prompt);
  expect(answersGiven(provider)).toBe(2 + answers);
});

test('a second use of a refresh token ends its own sign-in, and no other one of the same user', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const { refreshToken: first } = await signIn(provider, browser);
  const { refreshToken: other } = await signIn(provider, browser);
  expect((await refresh(provider, first)).status).toBe(200);
  const again = await refresh(provider, first);
  expect(again.status).toBe(400);
  expect(await again.json()).toMatchObject({ error: 'invalid_grant' });
  expect((await refresh(provider, other)).status).toBe(200);
});

test('revoking a refresh token ends its access token too, and the next sign-in asks no questions', async () => {
  const provider = await start();
  const browser = new HttpBrowser();
  const { token, refreshToken, expiresAtMs } = await signIn(provider, browser);
  expect(Math.ceil((expiresAtMs - Date.now()) / 60_000)).toBe(5);
  const client = createClient(provider);
  expect(await revokeToken(client, await discover(client), refreshToken)).toBe('revoked');
  expect((await refresh(provider, refreshToken)).status).toBe(400);
  expect((await call(provider, 'me', token)).status).toBe(401);
  await signIn(provider, browser);
  expect(answersGiven(provider)).toBe(2);
});

test('the API rejects a call without a token of this provider', async () => {
  const provider = await start();
  const elsewhere = await start();
  const { token: foreign } = await signIn(elsewhere);
  const asking = ['made-up', foreign].map((token) => call(provider, 'me', token));
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
  onTestFinished(() => void process.off('warning', note));
  const provider = await start();
  const browser = new HttpBrowser();
  await signIn(provider, browser);
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

test.each([
  ['choice of an account', accountPage(people, { hint: null, currentId: null })],
  ['consent', consentPage(marisol, ['openid', 'notes.read'])],
  ['sign-out', logoutPage('')],
  ['end', signedOutPage()],
])(
  'the demo provider’s page for the %s names no product, because a team gives it another name',
  (_page, html) => {
    expect(html).toContain('<h1>');
    expect(html).not.toContain('Latchkey');
  },
);
