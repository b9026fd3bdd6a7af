import { expect, test } from 'vitest';
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

test('a pushed request has its parameters in the body, and the URL names the client and the reference alone', async () => {
  const provider = createScriptedProvider(always);
  const { request } = await provider.authorize();
  expect(Object.fromEntries(new URL(request.url).searchParams)).toEqual({
    client_id: 'client',
    request_uri: 'urn:ietf:params:oauth:request_uri:1',
  });
  expect(provider.requests.at(-1)).toMatchObject({ path: '/par', init: { method: 'POST' } });
  expect(Object.fromEntries(provider.requests.at(-1)?.parameters ?? [])).toEqual({
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

test('a sign-in with a pushed request is a whole sign-in', async () => {
  await expect(createScriptedProvider(always).signIn()).resolves.toMatchObject({
    profile: { subject: 'ada' },
  });
});

test('each pushed request has a reference of its own', async () => {
  const provider = createScriptedProvider(always);
  const [one, other] = [await provider.authorize(), await provider.authorize()];
  expect(one.request.url).not.toBe(other.request.url);
});

test.each<[string, Script, boolean]>([
  ['auto, where it is offered', { metadata: endpoint }, false],
  ['auto, where it is required', { metadata: required }, true],
  ['off, where it is required', { metadata: required, provider: { par: 'off' } }, false],
  ['always, where it is offered', always, true],
])('with %s, a request is pushed: %s', async (_title, script, isPushed) => {
  const provider = createScriptedProvider(script);
  const { request } = await provider.authorize();
  expect(provider.paths().includes('/par')).toBe(isPushed);
  expect(new URL(request.url).searchParams.has('request_uri')).toBe(isPushed);
  expect(new URL(request.url).searchParams.has('state')).toBe(!isPushed);
});

test.each<[string, Script]>([
  ['always', { provider: { par: 'always' } }],
  ['required', { metadata: { require_pushed_authorization_requests: true } }],
])('pushing that is %s where there is no endpoint is told', async (_title, script) => {
  await expect(createScriptedProvider(script).authorize()).rejects.toMatchObject({
    code: 'provider-misconfigured',
  });
});

const failures: [string, Answer, string][] = [
  ['a refusal', Response.json({ error: 'invalid_request' }, { status: 400 }), 'provider-misconfigured'],
  ['an outage', new Response('', { status: 503 }), 'provider-unreachable'],
  ['a network error', () => Promise.reject(new TypeError('Failed to fetch')), 'provider-unreachable'],
  ['a 200', Response.json({ request_uri: 'urn:x', expires_in: 60 }), 'response-rejected'],
  ['no reference', Response.json({ expires_in: 60 }, { status: 201 }), 'response-rejected'],
  ['a reference that is a number', Response.json({ request_uri: 7 }, { status: 201 }), 'response-rejected'],
];

test.each(failures)('%s is told where pushing is required', async (_title, answer, code) => {
  const provider = createScriptedProvider(withAnswer({ metadata: required }, answer));
  await expect(provider.authorize()).rejects.toMatchObject({ code });
});

test.each(failures)('after %s a plain request goes on where it may', async (_title, answer) => {
  const provider = createScriptedProvider(withAnswer(always, answer));
  const { request } = await provider.authorize();
  expect(Object.fromEntries(new URL(request.url).searchParams)).toMatchObject({
    response_type: 'code',
    state: request.state,
  });
});

test('nobody is sent to a page while offline', async () => {
  const failing = () => Promise.reject(new TypeError('Failed to fetch'));
  const provider = createScriptedProvider(withAnswer({ ...always, isOnline: () => false }, failing));
  await expect(provider.authorize()).rejects.toMatchObject({ code: 'offline' });
});
