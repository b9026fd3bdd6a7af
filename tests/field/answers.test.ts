// Real providers' answers, read by the worker's code.

import { describe, expect, test, vi } from 'vitest';
import { renewTokens } from '../../src/oidc/renew.ts';
import { requestUserInfo } from '../../src/oidc/resource.ts';
import { revokeToken } from '../../src/oidc/end.ts';
import { createExchange } from '../../src/oidc/http.ts';
import { findRefusal } from '../../src/oidc/problems.ts';
import { withDiagnosis } from '../../src/oidc/why.ts';
import { byIdToken } from '../../src/oidc/code-flow.ts';
import { requestDeviceGrant, requestDeviceTokens } from '../../src/parts/device.ts';
import { bad, examine } from '../support/doctor-scene.ts';
import { at, oauthError } from '../support/healthy-provider.ts';
import { publishedKeys } from '../support/keys.ts';
import { discover } from '../support/discover.ts';
import {
  createScriptedProvider,
  createSigningKey,
  firstTokens,
  issuer,
  redirectUri,
  signIdToken,
  toWorld,
  type Script,
} from '../support/scripted-provider.ts';
import {
  devices,
  polls,
  registrations,
  renewals,
  retryAfters,
  revocations,
  signIns,
  userInfos,
} from './answers.ts';

const stranger = await createSigningKey('key-1');
const resultOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);

/** The provider of a case. */
function toProvider(script: Script, status?: number) {
  const tokens = async () => Response.json(await provider.tokenAnswer(), { status: status ?? 200 });
  const answers = { ...(status !== undefined && { '/token': tokens }), ...script.answers };
  const provider = createScriptedProvider({ ...script, answers });
  return provider;
}

/** Signs in, and returns the profile that UserInfo completes. */
async function complete(script: Script) {
  const { client, signIn } = createScriptedProvider(script);
  const { tokens, claims } = await signIn();
  const metadata = await discover(client);
  return requestUserInfo(client, metadata, tokens, claims, null, publishedKeys(client, metadata));
}

async function renew(script: Script, status?: number) {
  const { client } = toProvider(script, status);
  const metadata = await discover(client);
  const original = { audiences: ['client'], authorizedParty: null, nonce: 'nonce-0', authTimeSeconds: 7 };
  const keys = publishedKeys(client, metadata);
  return renewTokens(client, metadata, keys, firstTokens, { subject: 'ada', claims: original });
}

test.each(renewals)(
  '%s: an answer to a refresh token is read rightly if %s',
  async (_source, _input, script, right, status) => {
    expect(await resultOf(renew(script, status))).toMatchObject(right);
  },
);

test.each(signIns)(
  '%s: an answer to a code is read rightly if %s',
  async (_source, _input, script, right, status) => {
    expect(await resultOf(toProvider(script, status).signIn())).toMatchObject(right);
  },
);

test.each(userInfos)(
  '%s: an answer of UserInfo is read rightly if %s',
  async (_source, _input, script, right) => {
    expect(await resultOf(complete(script))).toMatchObject(right);
  },
);

test.each(registrations)(
  '%s: the popup and the doctor name the cause of a wrong registration: %s, %s, %s',
  async (_source, cause, error, error_description) => {
    const answers = { '/token': Response.json({ error, error_description }, { status: 400 }) };
    const { signIn } = createScriptedProvider({ answers });
    const register = cause === 'platform' ? redirectUri : 'client';
    const registration = { redirectUri, clientId: 'client' };
    expect(await resultOf(withDiagnosis(registration, () => signIn()))).toMatchObject({
      code: 'provider-misconfigured',
      diagnosis: { cause, certainty: 'known', register },
    });
    const { report } = await examine(at('/token', oauthError(error, error_description)));
    expect(bad(report).map(({ code }) => code)).toContain(
      cause === 'platform' ? 'client-type' : 'secret-wanted',
    );
  },
);

test.each(revocations)('%s: a token is revoked if the answer is %s', async (_source, _input, answer) => {
  const { client } = createScriptedProvider({ answers: { '/revoke': answer } });
  expect(await revokeToken(client, await discover(client), 'refresh-1')).toBe('revoked');
});

// As Keycloak and others challenge a client that they don't know (RFC 6749 section 5.2).
test('a revocation that is refused with a challenge names the error of its body', async () => {
  const headers = { 'www-authenticate': 'Basic realm="x"' };
  const answer = Response.json({ error: 'invalid_client' }, { status: 401, headers });
  const { client } = createScriptedProvider({ answers: { '/revoke': answer } });
  const problem = await resultOf(revokeToken(client, await discover(client), 'refresh-1'));
  expect(problem).toMatchObject({ code: 'provider-misconfigured', detail: 'revocation: invalid_client' });
  expect(findRefusal(problem)).toBe('registration-broken');
});

test.each(devices)('%s: a user code is shown though %s', async (_source, _input, members) => {
  const answer = {
    device_code: 'device-1',
    user_code: 'ABCD',
    verification_uri: `${issuer}/device`,
    expires_in: 1800,
    interval: 5,
    ...members,
  };
  const metadata = { device_authorization_endpoint: `${issuer}/device-code` };
  const { client } = createScriptedProvider({ metadata, answers: { '/device-code': answer } });
  const userCode = String(answer.user_code);
  expect(await requestDeviceGrant(client, await discover(client))).toMatchObject({
    shown: { userCode, verificationUri: `${issuer}/device` },
    intervalSeconds: 5,
  });
});

test.each(polls)('%s: %s', async (_source, _input, answer, right) => {
  const { client } = createScriptedProvider({ answers: { '/token': answer } });
  const metadata = await discover(client);
  const asked = requestDeviceTokens(
    client,
    metadata,
    publishedKeys(client, metadata),
    { deviceCode: 'device-1' },
    byIdToken,
  );
  expect(await resultOf(asked)).toMatchObject(right);
});

test.each(retryAfters)('%s: Retry-After may be %s', async (_source, value, seconds) => {
  let nowMs = Date.parse('2026-11-21T12:00:00Z');
  const headers = { 'retry-after': value, date: 'Sat, 21 Nov 2026 12:00:00 GMT' };
  const fetch = vi.fn(async () => new Response('', { status: 429, headers }));
  const exchange = createExchange(
    toWorld(fetch, () => nowMs),
    [issuer],
  );
  const ask = () => resultOf(exchange.fetch(issuer, {}));
  await ask();
  nowMs += seconds * 1000 - 1;
  await ask();
  expect(fetch).toHaveBeenCalledTimes(1);
  nowMs += 1;
  await ask();
  expect(fetch).toHaveBeenCalledTimes(2);
});

// Keycloak signs UserInfo if the client is registered so, and BankID always does:
// https://github.com/DuendeArchive/identity-model-oidc-client-js/issues/635
describe('a signed answer of UserInfo', () => {
  const claims = { iss: issuer, aud: 'client', sub: 'ada', name: 'Ada L.' };
  const signed = async (members: object, type = 'application/jwt;charset=utf-8', key?: typeof stranger) =>
    new Response(await signIdToken({ ...claims, ...members }, key), { headers: { 'content-type': type } });
  const answering = (answer: () => Promise<Response>): Script => ({
    claims: { name: null },
    answers: { '/userinfo': answer },
  });

  test.each([
    ['names issuer and audience', {}],
    ['names neither', { iss: undefined, aud: undefined }],
    ['has a list of audiences', { aud: ['client', 'another'] }],
  ])('is used if it %s', async (_title, members) => {
    expect(await complete(answering(() => signed(members)))).toMatchObject({ name: 'Ada L.' });
  });

  // https://github.com/OpenLiberty/open-liberty/issues/19027
  test('is used if it is called JSON', async () => {
    const answer = () => signed({}, 'application/json');
    expect(await complete(answering(answer))).toMatchObject({ name: 'Ada L.' });
  });

  test.each<[string, () => Promise<Response>]>([
    ['is about another user', () => signed({ sub: 'eve' })],
    ['is from another issuer', () => signed({ iss: 'https://evil.example' })],
    ['is for another client', () => signed({ aud: 'another' })],
    ['is signed by another', () => signed({}, undefined, stranger)],
    ['is not signed', async () => new Response('e30.eyJzdWIiOiJhZGEifQ.')],
  ])('is not used if it %s', async (_title, answer) => {
    await expect(complete(answering(answer))).rejects.toMatchObject({ code: 'response-rejected' });
  });

  test('that is encrypted is not used, and developers are told', async () => {
    const { client, signIn } = createScriptedProvider(answering(async () => new Response('e30.a.b.c.d')));
    const warn = vi.fn();
    Object.assign(client.world, { warn });
    const { tokens, claims: known } = await signIn();
    const asked = requestUserInfo(client, await discover(client), tokens, known);
    await expect(asked).rejects.toMatchObject({ code: 'response-rejected' });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('encrypted')]]);
  });
});
