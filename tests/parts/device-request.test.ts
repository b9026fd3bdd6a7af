import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { requestDeviceGrant, requestDeviceTokens } from '../../src/parts/device.ts';
import { byIdToken } from '../../src/oidc/code-flow.ts';
import { discover } from '../support/discover.ts';
import { generateDpopKey } from '../../src/oidc/resource.ts';
import { deviceCode, deviceScript, issued, pending, refusal, userCode } from '../support/device-scene.ts';
import { publishedKeys } from '../support/keys.ts';
import { createScriptedProvider, issuer, type Answer, type Script } from '../support/scripted-provider.ts';

const nowMs = Date.parse('2030-01-01T12:00:00Z');
const noAnswer = new Response('', { status: 503 });

/** A provider that issues codes, and the two requests to it. */
function setUp(token?: Answer, given: Script = {}) {
  const settings = { deviceFlow: 'only', ...given.provider } as const;
  const provider = createScriptedProvider(
    deviceScript(token, { ...given, provider: settings, nowMs: () => nowMs }),
  );
  const { client } = provider;
  return {
    provider,
    grant: async (own?: string) => requestDeviceGrant(client, await discover(client), { own }),
    redeem: async (dpopKey: CryptoKeyPair | null = null, own?: string) => {
      const metadata = await discover(client);
      const keys = publishedKeys(client, metadata);
      return requestDeviceTokens(client, metadata, keys, { deviceCode }, byIdToken, dpopKey, { own });
    },
    sentTo: (path: string) => {
      const { parameters } = provider.requests.findLast((request) => request.path === path) ?? {};
      return Object.fromEntries(parameters ?? []);
    },
  };
}

const withDevice = (members: object) =>
  setUp(undefined, { answers: { '/device': { ...issued, ...members } } });

describe('requestDeviceGrant', () => {
  const scope = 'openid profile email offline_access notes.read';
  test('asks as a public client, for the configured scope', async () => {
    const { grant, sentTo } = setUp();
    expect(await grant('notes.read')).toEqual({
      shown: { userCode, verificationUri: `${issuer}/device-page`, expiresAtMs: nowMs + 900_000 },
      deviceCode,
      intervalSeconds: 5,
    });
    expect(sentTo('/device')).toEqual({ client_id: 'client', scope });
  });

  const asIs = { resource: 'https://api.example', audience: 'api' };
  const [tenant, mfa] = [{ tenant: 'acme' }, { acr_values: 'mfa' }];
  const authentication = { maxAgeSeconds: 60, acrValues: 'mfa' };
  test.each<[string, Partial<Provider>, object]>([
    ['no scope if none is configured, as at a provider of plain OAuth 2', { scope: '' }, {}],
    ['the API and parameters', { ...asIs, authorizationParameters: tenant }, { scope, ...tenant, ...asIs }],
    ['the authentication', authentication, { scope, max_age: '60', ...mfa }],
    ['a context that nothing checks', { authorizationParameters: mfa }, { scope, ...mfa }],
  ])('sends %s, as the configuration asks of each sign-in', async (_, provider, sent) => {
    const { grant, sentTo } = setUp(undefined, { provider });
    await grant(provider.scope === '' ? '' : 'notes.read');
    expect(sentTo('/device')).toEqual({ client_id: 'client', ...sent });
  });

  test.each([
    [undefined, 5],
    [null, 5],
    [0, 5],
    [0.01, 1],
    ['7', 7],
    [3_600, 60],
  ])('waits, for an interval of %j, %s s between two requests', async (interval, expected) => {
    expect((await withDevice({ interval }).grant()).intervalSeconds).toBe(expected);
  });

  test('shortens a lifetime of a day to half an hour', async () => {
    expect((await withDevice({ expires_in: 86_400 }).grant()).shown.expiresAtMs).toBe(nowMs + 1_800_000);
  });

  test.each([
    ['with the code in it, on the same origin', `${issuer}/device-page?code=1`],
    ['on another origin', 'https://evil.example/?code=1'],
    ['without TLS', 'http://provider.example/?code=1'],
    ['that is a script', 'javascript:alert(1)'],
    ['that is empty', ''],
    ['that is null', null],
  ])('opens, with a page %s, only a page of the same origin', async (_, complete) => {
    const { shown } = await withDevice({ verification_uri_complete: complete }).grant();
    const isOwn = complete?.startsWith(issuer);
    expect(shown.verificationUri).toBe(isOwn ? complete : `${issuer}/device-page`);
  });

  test.each(['http://localhost:8080', 'https://www.provider.example'])(
    'accepts a page at %s, if "origins" names the host, and not if "apiOrigins" does',
    async (origin) => {
      const uri = `${origin}/device`;
      const answers = { '/device': { ...issued, verification_uri: uri } };
      const { grant } = setUp(undefined, { answers, provider: { origins: [origin] } });
      expect((await grant()).shown.verificationUri).toBe(uri);
      const other = setUp(undefined, { answers, provider: { apiOrigins: [origin] } });
      await expect(other.grant()).rejects.toMatchObject({
        code: 'response-rejected',
        detail: 'device code: its page is on a host that is not in "origins"',
      });
    },
  );

  const notHttps = 'the address for the user is not an https URL';
  test.each<[string, object, string?]>([
    ['no code for the user', { user_code: undefined }],
    ['a code over 32 characters', { user_code: 'A'.repeat(33) }],
    ['a code with a line break', { user_code: 'ABCD\nEFGH' }],
    ['a code that is written from right to left', { user_code: 'ABCD\u202eEFGH' }],
    ['a code of look-alikes', { user_code: 'АВСD' }],
    ['a blank code', { user_code: ' ' }, 'the code for the user cannot be shown'],
    ['the secret as the code', { device_code: 'A1', user_code: 'A1' }, 'its secret in what people see'],
    ['the secret in the address', { verification_uri: `${issuer}/?secret=${deviceCode}` }],
    ['the secret, encoded', { device_code: 'a secret', verification_uri: `${issuer}/?secret=a%20secret` }],
    ['no secret', { device_code: '' }],
    ['no address', { verification_uri: undefined }],
    ['an address without TLS', { verification_uri: 'http://provider.example/device' }],
    ['a script as the address', { verification_uri: 'javascript:alert(1)' }, notHttps],
    ['an address with a name before the host', { verification_uri: 'https://bank@provider.example/' }],
    ['an address with a password', { verification_uri: 'https://:bank@provider.example/' }],
    ['an address of 2,001 characters', { verification_uri: `${issuer}/`.padEnd(2_001, 'a') }],
    ['an address that encoding makes as long', { verification_uri: `${issuer}/${'ä'.repeat(334)}` }],
  ])('rejects an answer with %s', async (_, members, said = '') => {
    await expect(withDevice(members).grant()).rejects.toMatchObject({
      code: 'response-rejected',
      detail: expect.stringContaining(`device code: ${said}`),
    });
  });

  test.each<[string, string, string]>([
    ['a code of one character', 'A', `${issuer}/device-page`],
    ['an address of 2,000 characters', 'ABCD', `${issuer}/`.padEnd(2_000, 'a')],
    ['an address with a stray percent sign', 'ABCD', `${issuer}/100%`],
  ])('shows %s', async (_, code, uri) => {
    const { shown } = await withDevice({ user_code: code, verification_uri: uri }).grant();
    expect(shown).toMatchObject({ userCode: code, verificationUri: uri });
  });

  const disabled = 'device_flow_disabled: switch it on for this client at the provider';
  test('asks for no code whose tokens could not be bound to a key as required', async () => {
    const { grant, provider } = setUp(undefined, {
      provider: { dpop: 'required' },
      metadata: { dpop_signing_alg_values_supported: ['RS256'] },
    });
    await expect(grant()).rejects.toMatchObject({ code: 'provider-misconfigured' });
    expect(provider.paths()).not.toContain('/device');
  });

  test.each<[string, Answer, string]>([
    ['unauthorized_client', refusal('unauthorized_client'), 'unauthorized_client'],
    ['an error with 200', refusal('unauthorized_client', 200), 'unauthorized_client'],
    ["GitHub's switch that is off", refusal('device_flow_disabled', 200), disabled],
  ])('tells %s as a fault of the configuration', async (_, answer, told) => {
    const { grant } = setUp(undefined, { answers: { '/device': answer } });
    const problem = { code: 'provider-misconfigured', detail: `device code: ${told}` };
    await expect(grant()).rejects.toMatchObject(problem);
  });

  test.each([
    ['http://provider.example/device', 'provider-misconfigured', 'not an https URL'],
    ['/device', 'provider-misconfigured', 'not an https URL'],
    [7, 'provider-misconfigured', 'not an https URL'],
    ['https://elsewhere.example/device', 'host-permission-missing', 'not in the configuration'],
    [undefined, 'provider-misconfigured', 'device_authorization_endpoint'],
  ])('does not ask an endpoint that is %j', async (endpoint, code, said) => {
    const { grant, provider } = setUp(undefined, { metadata: { device_authorization_endpoint: endpoint } });
    await expect(grant()).rejects.toMatchObject({ code, detail: expect.stringContaining(said) });
    expect(provider.paths()).toEqual(['/.well-known/openid-configuration']);
  });
});

describe('requestDeviceTokens', () => {
  test('asks as a public client, with the secret, and verifies the ID token', async () => {
    const { redeem, sentTo } = setUp();
    const tokens = { accessToken: 'access-1' };
    expect(await redeem()).toMatchObject({
      outcome: 'signed-in',
      result: { profile: { subject: 'ada' }, tokens, originalClaims: { nonce: '' } },
    });
    expect(sentTo('/token')).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: deviceCode,
      client_id: 'client',
    });
  });

  test('names the API that the access token is for, and no scope of one that has a token of its own', async () => {
    const api = {
      name: null,
      origins: ['https://pay.example'],
      scope: 'pay',
      resource: null,
      audience: null,
    };
    const provider = { scope: 'openid', resource: 'https://api.example', apis: [api] };
    const { redeem, sentTo } = setUp(undefined, { provider });
    await redeem(null, 'notes');
    expect(sentTo('/token')).toMatchObject({ scope: 'openid notes', resource: 'https://api.example' });
  });

  test('binds the tokens to a key, which a provider may not leave out', async () => {
    const script: Script = { provider: { dpop: 'required' } };
    const bound = await setUp(undefined, script).redeem(await generateDpopKey());
    expect(bound).toMatchObject({ result: { tokens: { type: 'DPoP' } } });
    await expect(setUp(undefined, script).redeem()).rejects.toMatchObject({ code: 'response-rejected' });
  });

  const asPage = { headers: { 'content-type': 'text/html' } };
  test.each<[string, Answer, string]>([
    ['authorization_pending', pending(), 'pending'],
    ['slow_down', refusal('slow_down'), 'too-fast'],
    ['slow_down with 200', refusal('slow_down', 200), 'too-fast'],
    ['expired_token', refusal('expired_token'), 'expired'],
    ['invalid_grant', refusal('invalid_grant'), 'expired'],
    ['a 503', noAnswer, 'unreachable'],
    ['the page of a captive portal', new Response('<html>', asPage), 'unreachable'],
  ])('knows %s as %s', async (_, answer, outcome) => {
    expect(await setUp(answer).redeem()).toEqual({ outcome });
  });

  test.each<[string, Answer, string]>([
    ['access_denied', refusal('access_denied'), 'denied'],
    ['access_denied with 200', refusal('access_denied', 200), 'denied'],
    ['an unknown error', refusal('bad_device'), 'response-rejected'],
  ])('fails after %s', async (_, answer, code) => {
    await expect(setUp(answer).redeem()).rejects.toMatchObject({
      code,
      detail: expect.stringMatching(/^device code: (access_denied|an error code of its own)$/),
    });
  });

  const redeemFrom = (script: Script) => setUp(undefined, script).redeem();
  const ago = (seconds: number) => nowMs / 1000 - seconds;
  const provider = { maxAgeSeconds: 60 };
  const tooOld = 'ID token: authenticated too long ago [auth_time]';

  // id-token.test.ts has what else is wrong with an ID token.
  test.each<[string, Script, problem?: object]>([
    ['no ID token', { token: { id_token: undefined } }],
    ['an ID token of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['an ID token with another key', { publishedKeys: () => [] }],
    ['an ID token without its keys', { answers: { '/keys': noAnswer } }, { code: 'provider-unreachable' }],
    ['an authentication of an unknown time', { provider }],
    ['an authentication that is too old', { provider, claims: { auth_time: ago(91) } }, { detail: tooOld }],
    ['an authentication context that was not asked for', { provider: { acrValues: 'mfa' } }],
  ])('rejects %s, and hands over its refresh token before that', async (_, script, problem) => {
    const { provider: answering, redeem } = setUp(undefined, script);
    await expect(redeem()).rejects.toMatchObject({ code: 'response-rejected', ...problem });
    expect(answering.arrivals).toMatchObject([{ token: 'refresh-1' }]);
  });

  test.each([['n'], [7], [null]])('remembers a nonce that no one asked for (%j) as a text', async (nonce) => {
    const originalClaims = { nonce: typeof nonce === 'string' ? nonce : '' };
    expect(await redeemFrom({ claims: { nonce } })).toMatchObject({ result: { originalClaims } });
  });

  test('accepts a recent authentication', async () => {
    const recent = { provider, claims: { auth_time: ago(90) } };
    expect(await redeemFrom(recent)).toMatchObject({ outcome: 'signed-in' });
  });
});
