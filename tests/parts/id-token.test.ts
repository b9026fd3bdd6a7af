// The flow whose answer is the ID token itself, in the fragment. id-token.test.ts has what is wrong with a token; who may sign in,
// and when a clock is wrong, is checked as in the code flow.

import { expect, test } from 'vitest';
import { discover } from '../support/discover.ts';
import { idTokenFlow, readIdTokenResponse } from '../../src/parts/id-token.ts';
import { createScriptedProvider, issuer, redirectUri, type Script } from '../support/scripted-provider.ts';
import { stopClock } from '../support/stop-clock.ts';

const setUp = (script: Script = {}) =>
  createScriptedProvider({ ...script, provider: { responseType: 'id_token', ...script.provider } });

async function requestUrl(script: Script = {}, options = {}) {
  const { client } = setUp(script);
  const request = await idTokenFlow.createRequest(client, await discover(client), redirectUri, options, null);
  return new URL(request.url);
}

test('a request asks for an ID token with state and nonce, and names nothing of another flow', async () => {
  const url = await requestUrl();
  expect(url.origin + url.pathname).toBe(`${issuer}/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'client',
    redirect_uri: redirectUri,
    response_type: 'id_token',
    scope: 'openid profile email',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
});

// Both flows make their requests in one way: authorize.test.ts has the rest.
test('a request has the settings of the provider and of this sign-in', async () => {
  const provider = { maxAgeSeconds: 60, acrValues: 'high' };
  const options = { prompt: 'none', additional: { own: 'notes offline_access' } };
  const { searchParams } = await requestUrl({ provider }, options);
  const scope = 'openid profile email notes';
  const sent = { max_age: '60', acr_values: 'high', prompt: 'none', scope };
  expect(Object.fromEntries(searchParams)).toMatchObject(sent);
});

test('a sign-in needs no token endpoint, and asks the provider for nothing but metadata and keys', async () => {
  const nowMs = stopClock();
  const provider = setUp({ metadata: { token_endpoint: undefined } });
  const signedIn = await provider.signInWithIdToken();
  expect(signedIn).toMatchObject({
    issuer,
    profile: { subject: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: true },
    tokens: { type: 'id_token', idToken: expect.stringMatching(/^eyJ/), refreshToken: null },
    grantedScope: null,
  });
  expect(signedIn.originalClaims?.nonce).toMatch(/^[\w-]{43}$/);
  expect(signedIn.tokens).not.toHaveProperty('accessToken');
  expect(signedIn.tokens.expiresAtMs - nowMs).toBe(300_000);
  expect(new Set(provider.paths())).toEqual(new Set(['/.well-known/openid-configuration', '/keys']));
});

test('an ID token is used for as long as it is valid by the clock of the provider, and for a day at most', async () => {
  const noon = Date.parse('2026-11-21T12:00:00Z');
  const deviceAheadMs = 3 * 3_600_000;
  const one = await setUp({ nowMs: () => noon, deviceAheadMs }).signInWithIdToken();
  expect(one.tokens.expiresAtMs).toBe(noon + deviceAheadMs + 300_000);
  const claims = { exp: 4_102_444_800 };
  const long = await setUp({ nowMs: () => noon, claims }).signInWithIdToken();
  expect(long.tokens.expiresAtMs).toBe(noon + 86_400_000);
});

/** Reads the redirect of a user who agrees, as `change` leaves it. */
async function read(change: (url: string) => string) {
  const { client, approveWithIdToken } = setUp();
  const metadata = await discover(client);
  const request = await idTokenFlow.createRequest(client, metadata, redirectUri, {}, null);
  return readIdTokenResponse(client, metadata, request, change(await approveWithIdToken(request.url)));
}

const toQuery = (url: string) => url.replace('#', '?');
const withParameter = (parameter: string) => (url: string) => `${url}&${parameter}`;
const replaced = (name: string, value: string) => (url: string) =>
  url.replace(new RegExp(`(?<=[#&])${name}=[^&]*`), value);

test.each<[string, (url: string) => string, detail?: string]>([
  // Reasons to refuse any redirect are in oidc/authorize.test.ts. The provider may not allow the response type.
  ['with the answer in the query', toQuery, 'redirect: an answer in the query'],
  ['with the answer in both', (url) => `${toQuery(url)}#${url.split('#')[1]}`],
  ['with a code in the query beside the answer', (url) => url.replace('#', '?code=code-1#')],
  ['without a fragment', (url) => url.replace(/#.*/, '')],
  ['with an empty fragment', (url) => url.replace(/#.*/, '#')],
  ['with a fragment that begins like a query', (url) => url.replace('#', '#?')],
  ['with another fragment before it', (url) => url.replace('#', '#a=b#')],
  ['with two ID tokens', (url) => `${url}&${/id_token=[^&]*/.exec(url)?.[0]}`],
  ['with a code', withParameter('code=code-1')],
  ['with an access token', withParameter('access_token=access-1&token_type=Bearer')],
  ['with a refresh token', withParameter('refresh_token=refresh-1')],
  ['with a signed response', withParameter('response=eyJ')],
  ['with an error too', withParameter('error=access_denied')],
  ['without an ID token', replaced('id_token', 'x=y')],
  ['with an empty error instead', replaced('id_token', 'error=')],
  ['with a nameless parameter instead', replaced('id_token', `=x&iss=${encodeURIComponent(issuer)}`)],
  ['without a state', replaced('state', 'x=y')],
  ['of another issuer', withParameter('iss=https://evil.example')],
])('a redirect %s is rejected', async (_title, change, detail) => {
  const problem = {
    code: 'response-rejected',
    detail: detail ?? (expect.not.stringContaining('eyJ') as string),
  };
  await expect(read(change)).rejects.toMatchObject(problem);
});

test.each([
  ['that says nothing of the issuer, although the provider does so elsewhere', ''],
  ['of its issuer', `&iss=${encodeURIComponent(issuer)}`],
  ['with parameters of the provider’s own', '&authuser=0&hd=acme.example&prompt=none'],
])('a redirect with an ID token %s is accepted', async (_title, added) => {
  await expect(read((url) => url + added)).resolves.toBeDefined();
});

test('an error in the fragment is reported as one in the query', async () => {
  const answer = `error=access_denied&iss=${encodeURIComponent(issuer)}`;
  await expect(read(replaced('id_token', answer))).rejects.toMatchObject({ code: 'denied' });
});

test.each([
  ['another state', `&iss=${encodeURIComponent(issuer)}`, 'other'],
  ['no issuer from a provider that names it in every other response', '', null],
  ['another issuer', '&iss=https://evil.example', null],
])('an error with %s is rejected, because it may be of another provider', async (_title, iss, state) => {
  const refused = read((url) => {
    const failed = replaced('id_token', `error=access_denied${iss}`)(url);
    return state === null ? failed : replaced('state', `state=${state}`)(failed);
  });
  await expect(refused).rejects.toMatchObject({ code: 'response-rejected' });
});

test('an ID token of another tenant than that of the redirect is rejected', async () => {
  const [own, other] = ['1', '2'].map((digit) => `${digit.repeat(8)}-1111-1111-1111-111111111111`);
  const provider = setUp({
    provider: { issuerTemplate: `${issuer}/{tenantid}` },
    metadata: { issuer: `${issuer}/{tenantid}` },
    claims: { iss: `${issuer}/${own}`, tid: own },
  });
  const naming = (tenant = '') => `&iss=${encodeURIComponent(`${issuer}/${tenant}`)}`;
  await expect(provider.signInWithIdToken((url) => url + naming(own))).resolves.toBeDefined();
  const refused = provider.signInWithIdToken((url) => url + naming(other));
  await expect(refused).rejects.toMatchObject({ code: 'response-rejected' });
});
