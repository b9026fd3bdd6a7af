import { expect, test } from 'vitest';
import { createAuthorizationRequest } from '../../src/oidc/authorize.ts';
import { discover } from '../support/discover.ts';
import {
  createScriptedProvider,
  issuer,
  redirectUri,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';

const endpoint = { pushed_authorization_request_endpoint: `${issuer}/par` };
const required = { ...endpoint, require_pushed_authorization_requests: true };

const always: Script = { metadata: endpoint, provider: { par: 'always' } };
const withAnswer = (script: Script, answer: Answer): Script => ({ ...script, answers: { '/par': answer } });

test('a pushed request has its parameters in the body, and the URL contains only client_id and request_uri', async () => {
  const provider = createScriptedProvider(always);
  const { request } = await provider.authorize();
  expect(Object.fromEntries(new URL(request.url).searchParams)).toEqual({
    client_id: 'client',
    request_uri: 'urn:ietf:params:oauth:request_uri:1',
  });
  const sent = provider.requests.at(-1);
  expect(sent).toMatchObject({ path: '/par', init: { method: 'POST' } });
  expect(Object.fromEntries(sent?.parameters ?? [])).toEqual({
    client_id: 'client',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    state: request.state,
    nonce: request.nonce,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
});

test('the URL of a pushed request also names a loopback redirect URI, for which Firefox waits', async () => {
  const { client } = createScriptedProvider(always);
  const loopback = 'http://127.0.0.1/mozoauth2/x';
  const { url } = await createAuthorizationRequest(client, await discover(client), loopback);
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(loopback);
});

test.each<[string, Script, boolean]>([
  ['auto where pushing is supported', { metadata: endpoint }, false],
  ['auto where pushing is required', { metadata: required }, true],
  ['off where pushing is required', { metadata: required, provider: { par: 'off' } }, false],
  ['always where pushing is supported', always, true],
])('with par %s, the request is pushed: %s', async (_title, script, isPushed) => {
  const provider = createScriptedProvider(script);
  const { request } = await provider.authorize();
  expect(provider.paths().includes('/par')).toBe(isPushed);
  expect(new URL(request.url).searchParams.has('request_uri')).toBe(isPushed);
  expect(new URL(request.url).searchParams.has('state')).toBe(!isPushed);
});

test.each<[string, Script]>([
  ['always', { provider: { par: 'always' } }],
  ['required', { metadata: { require_pushed_authorization_requests: true } }],
])('par %s is rejected if the provider has no endpoint for it', async (_title, script) => {
  await expect(createScriptedProvider(script).authorize()).rejects.toMatchObject({
    code: 'provider-misconfigured',
    detail: 'pushed request: the provider names no endpoint for it',
  });
});

const rejected = { code: 'response-rejected' };
const answering = (status: number, body: object) => Response.json(body, { status });
const named = { code: 'provider-misconfigured', detail: 'pushed request: invalid_request' };

test.each<[string, Answer, object]>([
  ['an OAuth error', answering(400, { error: 'invalid_request' }), named],
  ['an outage', answering(503, {}), { code: 'provider-unreachable' }],
  ['no request_uri', answering(201, { expires_in: 60 }), rejected],
  ['a request_uri that is no text', answering(201, { request_uri: {}, expires_in: 60 }), rejected],
])('%s fails the sign-in only where pushing is required', async (_title, answer, problem) => {
  const needing = createScriptedProvider(withAnswer({ metadata: required }, answer));
  await expect(needing.authorize()).rejects.toMatchObject(problem);
  const { request } = await createScriptedProvider(withAnswer(always, answer)).authorize();
  expect(new URL(request.url).searchParams.get('state')).toBe(request.state);
});

test.each([200, 202])(
  'the reference to a pushed request is used from an answer with HTTP %i',
  async (status) => {
    const answer = answering(status, { request_uri: 'urn:x', expires_in: 60 });
    const { client } = createScriptedProvider(withAnswer({ metadata: required }, answer));
    const { url } = await createAuthorizationRequest(client, await discover(client), redirectUri);
    expect(new URL(url).searchParams.get('request_uri')).toBe('urn:x');
  },
);

test('a pushed request does not fall back to a plain one while offline', async () => {
  const failing = () => Promise.reject(new TypeError('Failed to fetch'));
  const provider = createScriptedProvider(withAnswer({ ...always, isOnline: () => false }, failing));
  await expect(provider.authorize()).rejects.toMatchObject({ code: 'offline' });
});
