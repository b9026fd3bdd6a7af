// The details shown to support staff: the failed step, and the check, host, HTTP status or provider error
// code. The exact messages of oauth4webapi are not asserted, only searched.

import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { discover } from '../../src/oidc/discover.ts';
import { requestUserInfo } from '../../src/oidc/redeem.ts';
import { toProblemErrors } from '../../src/oidc/rejection.ts';
import { words } from '../../src/session/detail.ts';
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
const responding = (path: string, response: Answer): Script => ({ answers: { [path]: response } });
const redirecting = (redirect: NonNullable<Script['redirect']>): Script => ({ redirect });
const pushing = (response: Answer): Script => ({
  ...responding('/par', response),
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

/** An ID token with a signature algorithm that no browser supports. */
const signUnsupported = (claims: Record<string, unknown>) =>
  [{ alg: 'ML-DSA-44' }, claims, '']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
const unsupportedAlgorithm = { id_token_signing_alg_values_supported: ['ML-DSA-44'] };

/** Runs a sign-in and UserInfo, which covers every step except renewing and ending a session. */
async function complete(script: Script) {
  const { client, signIn } = createScriptedProvider(script);
  const { tokens, claims } = await signIn();
  await requestUserInfo(client, await discover(client), tokens, claims);
}

test.each<[string, Script, ProblemCode, string | RegExp]>([
  // The exchange
  [
    'a host that cannot be reached',
    responding(wellKnown, failing),
    'provider-unreachable',
    'provider.example did not answer.',
  ],
  [
    'a host that the browser forbids',
    { ...responding(wellKnown, failing), isForbidden: true },
    'host-permission-missing',
    'provider.example',
  ],
  [
    'a host with an internal error',
    responding('/keys', json({}, 500)),
    'provider-unreachable',
    'provider.example answered with HTTP 500.',
  ],
  [
    'a host that redirects',
    responding('/token', new Response(null, { status: 300 })),
    'provider-misconfigured',
    'provider.example redirects where it should answer.',
  ],
  [
    'a host whose response is too large',
    responding('/token', new Response('x'.repeat(300_000))),
    'response-rejected',
    'The answer of provider.example is larger than 262144 bytes.',
  ],

  // Discovery and keys
  [
    'no discovery document',
    responding(wellKnown, json({}, 404)),
    'provider-misconfigured',
    'discovery: HTTP 404 at https://provider.example/.well-known/openid-configuration',
  ],
  [
    'a truncated discovery document',
    responding(wellKnown, new Response('{')),
    'response-rejected',
    'discovery: the answer of https://provider.example/.well-known/openid-configuration is not JSON',
  ],
  [
    'another issuer',
    { metadata: { issuer: 'https://other.example' } },
    'provider-misconfigured',
    'discovery: its issuer is another one than https://provider.example, which is configured',
  ],
  [
    'a missing endpoint',
    { metadata: { token_endpoint: undefined } },
    'provider-misconfigured',
    'discovery: token_endpoint is missing',
  ],
  [
    'an endpoint that is not a string',
    { metadata: { token_endpoint: 7 } },
    'provider-misconfigured',
    'discovery: token_endpoint has the wrong type',
  ],
  [
    'an issuer that is not a string',
    { metadata: { issuer: 7 } },
    'provider-misconfigured',
    'discovery: issuer has the wrong type',
  ],
  [
    'an endpoint without TLS',
    { metadata: { token_endpoint: 'http://provider.example/token' } },
    'provider-misconfigured',
    'discovery: token_endpoint is not an https URL',
  ],
  [
    'a missing key set',
    responding('/keys', json({}, 410)),
    'response-rejected',
    'keys: HTTP 410 at provider.example',
  ],
  ['an invalid key set', responding('/keys', []), 'response-rejected', 'keys: the answer is not a key set'],

  // The authorization request and its redirect
  [
    'pushing without an endpoint',
    { provider: { par: 'always' } },
    'provider-misconfigured',
    'pushed request: the provider names no endpoint for it',
  ],
  [
    'a rejected pushed request',
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
  [
    'a fragment with a parameter',
    redirecting((url) => `${url.href}#code=x`),
    'response-rejected',
    'redirect: a parameter in the fragment',
  ],
  [
    'a repeated parameter',
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
    'a redirect without code or error',
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

  // The token response and the ID token
  [
    'an unknown client',
    responding('/token', json({ error: 'invalid_client', error_description: 'No such client.' }, 401)),
    'provider-misconfigured',
    'token: invalid_client',
  ],
  ['a challenge', responding('/token', challenge), 'response-rejected', 'token: HTTP 401'],
  [
    'an error status without an error code',
    responding('/token', json({}, 400)),
    'response-rejected',
    /^token: .* \(HTTP 400\)$/,
  ],
  ['a web page', responding('/token', page), 'provider-unreachable', /^token: .* \(HTTP 200\)$/],
  [
    'a token of another type',
    { provider: { dpop: 'required' } },
    'response-rejected',
    'token: its token_type was not asked for',
  ],
  ['no ID token', { token: { id_token: undefined } }, 'response-rejected', /^token: .*"id_token"/],
  ['an ID token of another issuer', { claims: { iss: 'x' } }, 'response-rejected', /^token: .* \[iss\]$/],
  [
    'an ID token with an additional audience',
    { claims: { aud: ['client', 'another'], azp: 'client' } },
    'response-rejected',
    'ID token: an audience that is not in "trustedAudiences" [aud]',
  ],
  [
    'an ID token with another authorized party',
    { claims: { azp: 'another' } },
    'response-rejected',
    "ID token: another party's [azp]",
  ],
  [
    'an ID token from last week',
    { claims: { iat: Math.floor(Date.now() / 1000) - 7 * 86_400 } },
    'response-rejected',
    'ID token: issued too long ago [iat]',
  ],
  [
    'an ID token from tomorrow',
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
    'an ID token for another access token',
    { claims: { at_hash: 'x' } },
    'response-rejected',
    'ID token: not of this access token [at_hash]',
  ],
  [
    'an at_hash with an unknown hash function',
    { metadata: unsupportedAlgorithm, idToken: (claims) => signUnsupported({ ...claims, at_hash: 'x' }) },
    'response-rejected',
    'ID token: no hash is known for its algorithm [at_hash]',
  ],
  [
    'an authentication context that was not requested',
    { provider: { acrValues: 'gold' } },
    'response-rejected',
    'ID token: none of the authentication contexts asked for [acr]',
  ],
  ['an unpublished key', { publishedKeys: () => [] }, 'response-rejected', /^ID token: .*key/],
  [
    'a signature by another key',
    { idToken: (claims) => signIdToken(claims, otherKey) },
    'response-rejected',
    /^ID token: .*signature verification failed$/,
  ],
  [
    'a malformed signature',
    { idToken: async (claims) => `${await signIdToken(claims)}!` },
    'response-rejected',
    'ID token: its key or its signature cannot be read',
  ],
  [
    'a person who is not allowed',
    { provider: { allowed: { hd: ['acme.example'] } } },
    'not-permitted',
    'ID token: "hd" is none of those allowed',
  ],

  // UserInfo
  [
    'UserInfo of another person',
    responding('/userinfo', { sub: 'eve' }),
    'response-rejected',
    /^UserInfo: .*"sub"/,
  ],
  [
    'UserInfo that rejects the token',
    responding('/userinfo', challenge),
    'response-rejected',
    'UserInfo: HTTP 401',
  ],
  [
    'UserInfo that rejects the extension',
    responding('/userinfo', json({}, 403)),
    'provider-misconfigured',
    /^UserInfo: .* \(HTTP 403\)$/,
  ],
  [
    'a missing UserInfo endpoint',
    { metadata: { userinfo_endpoint: undefined } },
    'provider-misconfigured',
    /^UserInfo: .*userinfo_endpoint/,
  ],
])('the detail names %s', async (_title, script, code, detail) => {
  const expected = typeof detail === 'string' ? detail : expect.stringMatching(detail);
  await expect(complete(script)).rejects.toMatchObject({ code, detail: expected });
});

test('an offline device is reported without a detail', async () => {
  const refused = complete({ ...responding(wellKnown, failing), isOnline: () => false });
  await expect(refused).rejects.toMatchObject({ code: 'offline', detail: null });
});

test.each([
  [new TypeError('https://a.example/?token=secret'), 'a step: TypeError'],
  ['a secret', 'a step: string'],
])('an unexpected error is reported by its type only', async (thrown, detail) => {
  const refused = toProblemErrors(createScriptedProvider().client, words`a step`, () => {
    throw thrown;
  });
  await expect(refused).rejects.toMatchObject({ code: 'unexpected', detail, cause: thrown });
});

test.each<[string, Script, new (...parts: never[]) => Error]>([
  ['a network failure', responding('/token', failing), TypeError],
  ['an offline device', { ...responding('/token', failing), isOnline: () => false }, TypeError],
  ['a missing permission', { ...responding('/token', failing), isForbidden: true }, TypeError],
  ['invalid JSON', responding(wellKnown, new Response('{')), SyntaxError],
  ['an error code', responding('/token', json({ error: 'invalid_grant' }, 400)), oauth.ResponseBodyError],
  ['a challenge', responding('/token', challenge), oauth.WWWAuthenticateChallengeError],
  ['a rejected claim', { claims: { nonce: 'x' } }, oauth.OperationProcessingError],
  ['a malformed signature', { idToken: async (claims) => `${await signIdToken(claims)}!` }, TypeError],
  ['a wrong clock', { deviceAheadMs: 3 * 3_600_000, sendsDate: false }, oauth.OperationProcessingError],
])('the problem keeps the original error of %s as its cause', async (_title, script, kind) => {
  await expect(complete(script)).rejects.toMatchObject({ cause: expect.any(kind) });
});
