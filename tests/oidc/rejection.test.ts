// What a person who gives support is told of a failure: the step, and the check, host, HTTP status or error code of
// the provider that it failed by. The words of oauth4webapi are its own, and only looked for.

import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { discover } from '../../src/oidc/discover.ts';
import { requestUserInfo } from '../../src/oidc/redeem.ts';
import { toProblemErrors } from '../../src/oidc/rejection.ts';
import type { ProblemCode } from '../../src/session/problem.ts';
import {
  createScriptedProvider,
  createSigningKey,
  issuer,
  signIdToken,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';

const wellKnown = '/.well-known/openid-configuration';
const json = (body: unknown, status: number) => Response.json(body, { status });
const failing = () => Promise.reject(new TypeError('Failed to fetch'));
const answering = (path: string, answer: Answer): Script => ({ answers: { [path]: answer } });
const redirecting = (redirect: NonNullable<Script['redirect']>): Script => ({ redirect });
const pushing = (answer: Answer): Script => ({
  ...answering('/par', answer),
  metadata: {
    pushed_authorization_request_endpoint: `${issuer}/par`,
    require_pushed_authorization_requests: true,
  },
});
const challenge = new Response(null, {
  status: 401,
  headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
});
const page = new Response('<html>', { headers: { 'content-type': 'text/html' } });
const otherKey = await createSigningKey('key-1');

/** An ID token whose signature nobody here can verify. */
const signLater = (claims: Record<string, unknown>) =>
  [{ alg: 'ML-DSA-44' }, claims, '']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
const laterAlgorithm = { id_token_signing_alg_values_supported: ['ML-DSA-44'] };

/** A sign-in with UserInfo, which is every step but those of a renewal and of an end. */
async function complete(script: Script) {
  const { client, signIn } = createScriptedProvider(script);
  const { tokens, claims } = await signIn();
  await requestUserInfo(client, await discover(client), tokens, claims);
}

test.each<[string, Script, ProblemCode, string | RegExp]>([
  // The exchange
  [
    'a host that cannot be reached',
    answering(wellKnown, failing),
    'provider-unreachable',
    'provider.example did not answer.',
  ],
  [
    'a host that the browser forbids',
    { ...answering(wellKnown, failing), isForbidden: true },
    'host-permission-missing',
    'provider.example',
  ],
  [
    'a host that is out of order',
    answering('/keys', json({}, 500)),
    'provider-unreachable',
    'provider.example answered with HTTP 500.',
  ],
  [
    'a host that redirects',
    answering('/token', new Response(null, { status: 300 })),
    'provider-misconfigured',
    'provider.example redirects where it should answer.',
  ],
  [
    'a host that answers without end',
    answering('/token', new Response('x'.repeat(300_000))),
    'response-rejected',
    'The answer of provider.example is larger than 262144 bytes.',
  ],

  // Discovery and keys
  ['no discovery', answering(wellKnown, json({}, 404)), 'provider-misconfigured', 'discovery: HTTP 404'],
  [
    'half of it',
    answering(wellKnown, new Response('{')),
    'response-rejected',
    'discovery: the answer is not JSON',
  ],
  [
    'another issuer',
    { metadata: { issuer: 'https://other.example' } },
    'provider-misconfigured',
    'discovery: the issuer calls itself https://other.example, configured is https://provider.example',
  ],
  [
    'a missing endpoint',
    { metadata: { token_endpoint: undefined } },
    'provider-misconfigured',
    'discovery: token_endpoint is missing',
  ],
  [
    'an endpoint that is no text',
    { metadata: { token_endpoint: 7 } },
    'provider-misconfigured',
    'discovery: token_endpoint is not a text',
  ],
  [
    'an issuer that is no text',
    { metadata: { issuer: 7 } },
    'provider-misconfigured',
    'discovery: issuer is not a text',
  ],
  [
    'an endpoint in the clear',
    { metadata: { token_endpoint: 'http://provider.example/token' } },
    'provider-misconfigured',
    'discovery: token_endpoint is not an https URL',
  ],
  ['no keys', answering('/keys', json({}, 410)), 'response-rejected', 'keys: HTTP 410'],
  ['keys that are none', answering('/keys', []), 'response-rejected', 'keys: the answer is not a key set'],

  // The request and its redirect
  [
    'pushing without an endpoint',
    { provider: { par: 'always' } },
    'provider-misconfigured',
    'pushed request: the provider names no endpoint for it',
  ],
  [
    'a push that is refused',
    pushing(json({ error: 'invalid_request' }, 400)),
    'provider-misconfigured',
    'pushed request: invalid_request',
  ],
  [
    'another redirect URI',
    redirecting((url) => url.href.replace('/scripted', '/another')),
    'response-rejected',
    'redirect: not the redirect URI of this provider',
  ],
  ['a fragment', redirecting((url) => `${url.href}#`), 'response-rejected', 'redirect: a fragment'],
  [
    'a code twice',
    redirecting((url) => `${url.href}&code=2`),
    'response-rejected',
    'redirect: a parameter is repeated',
  ],
  [
    'a token in the URL',
    redirecting((url) => `${url.href}&access_token=x`),
    'response-rejected',
    'redirect: a token in the URL',
  ],
  [
    'a redirect with nothing in it',
    redirecting((url) => void url.searchParams.delete('code')),
    'response-rejected',
    'redirect: neither code nor error',
  ],
  [
    'another state',
    redirecting((url) => void url.searchParams.set('state', 'x')),
    'response-rejected',
    /^sign-in: .*"state"/,
  ],
  ['a denial', redirecting((url) => `${url.href}&error=access_denied`), 'denied', 'sign-in: access_denied'],

  // The token answer and the ID token
  [
    'a client that is unknown',
    answering('/token', json({ error: 'invalid_client', error_description: 'No such client.' }, 401)),
    'provider-misconfigured',
    'token: invalid_client (No such client.)',
  ],
  ['a challenge', answering('/token', challenge), 'response-rejected', 'token: HTTP 401'],
  [
    'a refusal without words',
    answering('/token', json({}, 400)),
    'response-rejected',
    /^token: .* \(HTTP 400\)$/,
  ],
  ['a web page', answering('/token', page), 'provider-unreachable', /^token: .* \(HTTP 200\)$/],
  [
    'a token of another type',
    { provider: { dpop: 'required' } },
    'response-rejected',
    'token: the token_type is bearer, which was not asked for',
  ],
  ['no ID token', { token: { id_token: undefined } }, 'response-rejected', /^token: .*"id_token"/],
  ['an ID token of another issuer', { claims: { iss: 'x' } }, 'response-rejected', /^token: .* \[iss\]$/],
  [
    'an ID token of another audience too',
    { claims: { aud: ['client', 'another'], azp: 'client' } },
    'response-rejected',
    'ID token: an audience that is not trusted',
  ],
  [
    'an ID token of another party',
    { claims: { azp: 'another' } },
    'response-rejected',
    "ID token: another party's [azp]",
  ],
  [
    'an ID token of last week',
    { claims: { iat: Math.floor(Date.now() / 1000) - 7 * 86_400 } },
    'response-rejected',
    'ID token: issued too long ago [iat]',
  ],
  [
    'an ID token of tomorrow',
    { claims: { iat: Math.floor(Date.now() / 1000) + 86_400, exp: 4_000_000_000 } },
    'response-rejected',
    'ID token: issued in the future [iat]',
  ],
  [
    'a subject beyond ASCII',
    { claims: { sub: 'zoë' } },
    'response-rejected',
    'ID token: not a subject [sub]',
  ],
  [
    'an ID token of another access token',
    { claims: { at_hash: 'x' } },
    'response-rejected',
    'ID token: not of this access token [at_hash]',
  ],
  [
    'a hash that nobody here knows',
    { metadata: laterAlgorithm, idToken: (claims) => signLater({ ...claims, at_hash: 'x' }) },
    'response-rejected',
    'ID token: no hash is known for ML-DSA-44 [at_hash]',
  ],
  [
    'a weaker sign-in than was asked for',
    { provider: { acrValues: 'gold' } },
    'response-rejected',
    'ID token: none of the authentication contexts asked for [acr]',
  ],
  ['a key that is not published', { publishedKeys: () => [] }, 'response-rejected', /^ID token: .*key/],
  [
    'a signature by another key',
    { idToken: (claims) => signIdToken(claims, otherKey) },
    'response-rejected',
    /^ID token: .*signature verification failed$/,
  ],
  [
    'a signature that is none',
    { idToken: async (claims) => `${await signIdToken(claims)}!` },
    'response-rejected',
    'ID token: its key or its signature cannot be read',
  ],
  [
    'a person who is not let in',
    { provider: { allowed: { hd: ['acme.example'] } } },
    'not-permitted',
    'ID token: "hd" is none of those allowed',
  ],

  // UserInfo
  ['another person', answering('/userinfo', { sub: 'eve' }), 'response-rejected', /^UserInfo: .*"sub"/],
  ['a refusal of the token', answering('/userinfo', challenge), 'response-rejected', 'UserInfo: HTTP 401'],
  [
    'a refusal of the extension',
    answering('/userinfo', json({}, 403)),
    'provider-misconfigured',
    /^UserInfo: .* \(HTTP 403\)$/,
  ],
  [
    'no UserInfo',
    { metadata: { userinfo_endpoint: undefined } },
    'provider-misconfigured',
    /^UserInfo: .*userinfo_endpoint/,
  ],
])('%s is told by name', async (_title, script, code, detail) => {
  const expected = typeof detail === 'string' ? detail : expect.stringMatching(detail);
  await expect(complete(script)).rejects.toMatchObject({ code, detail: expected });
});

test('a device without a network is told that alone', async () => {
  const refused = complete({ ...answering(wellKnown, failing), isOnline: () => false });
  await expect(refused).rejects.toMatchObject({ code: 'offline', detail: null });
});

test.each([
  [new TypeError('https://a.example/?token=secret'), 'a step: TypeError'],
  ['a secret', 'a step: string'],
])('what nobody has thought of is told by its kind alone', async (thrown, detail) => {
  const refused = toProblemErrors('a step', () => {
    throw thrown;
  });
  await expect(refused).rejects.toMatchObject({ code: 'unexpected', detail, cause: thrown });
});

test.each<[string, Script, new (...parts: never[]) => Error]>([
  ['a network', answering('/token', failing), TypeError],
  ['a network that is gone', { ...answering('/token', failing), isOnline: () => false }, TypeError],
  ['a permission', { ...answering('/token', failing), isForbidden: true }, TypeError],
  ['a text', answering(wellKnown, new Response('{')), SyntaxError],
  ['an error code', answering('/token', json({ error: 'invalid_grant' }, 400)), oauth.ResponseBodyError],
  ['a challenge', answering('/token', challenge), oauth.WWWAuthenticateChallengeError],
  ['a claim', { claims: { nonce: 'x' } }, oauth.OperationProcessingError],
  ['a signature', { idToken: async (claims) => `${await signIdToken(claims)}!` }, TypeError],
  ['a clock', { deviceAheadMs: 3 * 3_600_000, sendsDate: false }, oauth.OperationProcessingError],
])('what was thrown for %s stays with the problem', async (_title, script, kind) => {
  await expect(complete(script)).rejects.toMatchObject({ cause: expect.any(kind) });
});
