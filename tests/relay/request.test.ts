// Each request that the relay refuses, and what it forwards of the others.

import { expect, test } from 'vitest';
import {
  acme,
  chromiumOrigin,
  createRelayScene,
  redemption,
  redirectUri,
  renewal,
  revocation,
} from '../support/relay-scene.ts';

const firefoxOrigin = 'moz-extension://0f3f2b1a-8d5e-4c1b-9a7e-1c2d3e4f5a6b';

const form = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  );

/** A form as it is forwarded to a provider that gets the client's id in the `Authorization` header. */
const withoutClientId = ({ client_id: _clientId, ...fields }: Readonly<Record<string, string>>) => fields;

/** A refusal says in a sentence what is wrong. */
async function expectRefused(answering: Promise<Response>, status: number, error: string): Promise<string> {
  const answer = await answering;
  const { error: code, error_description: why } = (await answer.json()) as Record<string, string>;
  expect([answer.status, code, why]).toEqual([status, error, expect.stringMatching(/^[A-Z].*\.$/)]);
  return why ?? '';
}

test('a code is forwarded to the configured endpoint, with the secret and without a redirect to follow', async () => {
  const { post, forwarded } = createRelayScene();
  const answer = await post('/token/acme', redemption);
  expect(answer.status).toBe(200);
  expect(forwarded).toHaveLength(1);
  expect(forwarded[0]?.url).toBe(acme.tokenEndpoint);
  expect(forwarded[0]?.init).toMatchObject({ method: 'POST', redirect: 'manual' });
  expect(Object.fromEntries(forwarded[0]?.form ?? [])).toEqual(withoutClientId(redemption));
  // RFC 6749, section 2.3.1: form-encoded, then in base64.
  const basic = btoa('latchkey:the+secret+%2B+of%2Facme');
  expect(Object.fromEntries(forwarded[0]?.headers ?? [])).toEqual({
    accept: 'application/json',
    authorization: `Basic ${basic}`,
    'content-type': 'application/x-www-form-urlencoded',
  });
});

test('the secret is sent in the form where client_secret_post is configured', async () => {
  const { post, forwarded } = createRelayScene({ provider: { clientAuthentication: 'client_secret_post' } });
  await post('/token/acme', renewal);
  expect(Object.fromEntries(forwarded[0]?.form ?? [])).toEqual({
    ...renewal,
    client_secret: acme.clientSecret,
  });
  expect(forwarded[0]?.headers.has('authorization')).toBe(false);
});

test('a refresh token is forwarded, with its scope and resource', async () => {
  const { post, forwarded } = createRelayScene();
  const fields = { ...renewal, scope: 'openid', resource: 'https://api.acme.example' };
  expect((await post('/token/acme', fields)).status).toBe(200);
  expect(Object.fromEntries(forwarded[0]?.form ?? [])).toEqual(withoutClientId(fields));
});

test('a parameter without a value counts as absent', async () => {
  const { post, forwarded } = createRelayScene();
  expect((await post('/token/acme', { ...renewal, scope: '', resource: '', client_secret: '' })).status).toBe(
    200,
  );
  expect(Object.fromEntries(forwarded[0]?.form ?? [])).toEqual(withoutClientId(renewal));
});

test('a client ID with other characters is encoded in the header', async () => {
  const clientId = 'latchkey: of/acme';
  const { post, forwarded } = createRelayScene({ provider: { clientId } });
  await post('/token/acme', { ...renewal, client_id: clientId });
  expect(forwarded[0]?.headers.get('authorization')).toBe(
    `Basic ${btoa('latchkey%3A+of%2Facme:the+secret+%2B+of%2Facme')}`,
  );
});

test('a revocation is forwarded to the revocation endpoint, with the secret', async () => {
  const { post, forwarded } = createRelayScene({ answer: () => new Response(null) });
  const answer = await post('/revoke/acme', revocation);
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(forwarded[0]?.url).toBe(acme.revocationEndpoint);
  expect(Object.fromEntries(forwarded[0]?.form ?? [])).toEqual(withoutClientId(revocation));
  expect(forwarded[0]?.headers.get('authorization')).toMatch(/^Basic /);
});

test('fields that no token request needs are left out', async () => {
  const { post, forwarded } = createRelayScene();
  await post('/token/acme', {
    ...redemption,
    client_secret: 'guess',
    client_assertion: 'a.b.c',
    password: 'x',
    refresh_token: 'r',
    audience: 'all',
  });
  expect(Object.fromEntries(forwarded[0]?.form ?? [])).toEqual(withoutClientId(redemption));
});

test.each(['/', '/token/other', '/token/acme/', '/tokens/acme', '/token/acme%2f', '/at/token/acme'])(
  'the path %s does not exist',
  async (path) => {
    const { post, forwarded, log } = createRelayScene();
    await expectRefused(post(path, redemption), 404, 'invalid_request');
    expect(forwarded).toEqual([]);
    expect(log).toEqual([{ provider: null, purpose: null, status: 404, error: 'invalid_request' }]);
  },
);

test('a query is ignored, and nothing in it is forwarded', async () => {
  const { post, forwarded } = createRelayScene();
  expect((await post('/token/acme?client_secret=x&url=https://evil.example', redemption)).status).toBe(200);
  expect(forwarded[0]?.url).toBe(acme.tokenEndpoint);
  expect(Object.fromEntries(forwarded[0]?.form ?? [])).toEqual(withoutClientId(redemption));
});

test('a revocation is refused where no endpoint for it is configured', async () => {
  const { post, forwarded } = createRelayScene({ provider: { revocationEndpoint: null } });
  await expectRefused(post('/revoke/acme', revocation), 404, 'invalid_request');
  expect(forwarded).toEqual([]);
});

test.each(['GET', 'PUT', 'OPTIONS'])('%s is refused', async (method) => {
  const { send, forwarded } = createRelayScene();
  const answer = await send(new Request('https://relay.example/token/acme', { method }));
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  await expectRefused(Promise.resolve(answer), 405, 'invalid_request');
  expect(forwarded).toEqual([]);
});

const padded = (bytes: number) => {
  const text = new URLSearchParams(redemption).toString();
  return `${text}&x=${'x'.repeat(bytes - text.length - 3)}`;
};

test('the extension may have several redirect URIs, of other browsers too', async () => {
  const provider = { redirectUris: ['https://other.extensions.allizom.org/acme', redirectUri] };
  const { post } = createRelayScene({ provider });
  expect((await post('/token/acme', redemption, { origin: chromiumOrigin })).status).toBe(200);
});

test('a body of 8 KiB is accepted, and one byte more is refused', async () => {
  const { post, forwarded } = createRelayScene();
  expect((await post('/token/acme', padded(8192))).status).toBe(200);
  await expectRefused(post('/token/acme', padded(8193)), 400, 'invalid_request');
  expect(forwarded).toHaveLength(1);
});

test('a body that never ends is refused as soon as it is too large', async () => {
  const { send } = createRelayScene();
  let cancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1024).fill(0x61)),
    cancel: () => void (cancelled = true),
  });
  const init = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    duplex: 'half',
  };
  await expectRefused(send(new Request('https://relay.example/token/acme', init)), 400, 'invalid_request');
  expect(cancelled).toBe(true);
});

test('a body whose connection fails is answered, and nothing is forwarded', async () => {
  const { send, forwarded, log } = createRelayScene();
  const body = new ReadableStream({ pull: () => Promise.reject(new Error('code-1 was cut off')) });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const init = { method: 'POST', body, headers, duplex: 'half' };
  await expectRefused(send(new Request('https://relay.example/token/acme', init)), 400, 'invalid_request');
  expect(forwarded).toEqual([]);
  expect(JSON.stringify(log)).not.toContain('code-1');
});

test('a body that is not UTF-8 is refused', async () => {
  const { send } = createRelayScene();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const request = new Request('https://relay.example/token/acme', {
    method: 'POST',
    body: new Uint8Array([0x61, 0xff, 0xfe]),
    headers,
  });
  await expectRefused(send(request), 400, 'invalid_request');
});

test.each(['grant_type', 'client_id', 'code', 'code_verifier', 'redirect_uri', 'unknown'])(
  'a form with %s twice is refused',
  async (name) => {
    const { post, forwarded } = createRelayScene();
    const twice = `${new URLSearchParams({ unknown: '', ...redemption }).toString()}&${name}=`;
    await expectRefused(post('/token/acme', twice), 400, 'invalid_request');
    expect(forwarded).toEqual([]);
  },
);

test.each([
  ['another grant_type', { ...redemption, grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ['a built-in name as grant_type', { ...redemption, grant_type: 'constructor' }, 'unsupported_grant_type'],
  ['no grant_type', { ...redemption, grant_type: undefined }, 'unsupported_grant_type'],
  ['another client_id', { ...redemption, client_id: 'another' }, 'invalid_request'],
  ['no client_id', { ...redemption, client_id: undefined }, 'invalid_request'],
  ['a client_id in other case', { ...redemption, client_id: 'Latchkey' }, 'invalid_request'],
  [
    'another redirect_uri',
    { ...redemption, redirect_uri: 'https://evil.example/acme' },
    'invalid_redirect_uri',
  ],
  ['a longer redirect_uri', { ...redemption, redirect_uri: `${redirectUri}/x` }, 'invalid_redirect_uri'],
  ['no redirect_uri', { ...redemption, redirect_uri: undefined }, 'invalid_request'],
  ['no code', { ...redemption, code: undefined }, 'invalid_request'],
  ['a code with a line break', { ...redemption, code: 'code\r\n1' }, 'invalid_request'],
  ['no code_verifier', { ...redemption, code_verifier: undefined }, 'invalid_request'],
  ['a code_verifier that is too short', { ...redemption, code_verifier: 'v'.repeat(42) }, 'invalid_request'],
  ['a code_verifier that is too long', { ...redemption, code_verifier: 'v'.repeat(129) }, 'invalid_request'],
  [
    'a code_verifier with other characters',
    { ...redemption, code_verifier: `${'v'.repeat(43)}+` },
    'invalid_request',
  ],
  ['no refresh_token', { ...renewal, refresh_token: undefined }, 'invalid_request'],
  ['a refresh_token that is not ASCII', { ...renewal, refresh_token: 'é' }, 'invalid_request'],
])('a token request with %s is refused', async (_case, fields, error) => {
  const { post, forwarded } = createRelayScene();
  await expectRefused(post('/token/acme', form(fields)), 400, error);
  expect(forwarded).toEqual([]);
});

test.each([
  ['no token', { ...revocation, token: undefined }],
  ['another client_id', { ...revocation, client_id: 'another' }],
  ['an unknown token_type_hint', { ...revocation, token_type_hint: 'id_token' }],
])('a revocation with %s is refused', async (_case, fields) => {
  const { post, forwarded } = createRelayScene();
  await expectRefused(post('/revoke/acme', form(fields)), 400, 'invalid_request');
  expect(forwarded).toEqual([]);
});

test('a request with a DPoP proof is refused, which names the address of the relay', async () => {
  const { post, forwarded } = createRelayScene();
  await expectRefused(post('/token/acme', redemption, { dpop: 'a.b.c' }), 400, 'invalid_request');
  expect(forwarded).toEqual([]);
});

test.each([
  ['of the extension in Chromium', chromiumOrigin],
  ['of any extension in Firefox, whose id differs everywhere', firefoxOrigin],
])('the Origin %s is accepted', async (_case, origin) => {
  const { post } = createRelayScene();
  expect((await post('/token/acme', redemption, { origin })).status).toBe(200);
});

test.each([
  'chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh',
  'https://evil.example',
  `${chromiumOrigin}.evil.example`,
  `https://evil.example/${chromiumOrigin}`,
  `evil${firefoxOrigin}`,
  `${firefoxOrigin}.evil.example`,
])('the Origin "%s" is refused', async (origin) => {
  const { post, forwarded } = createRelayScene();
  await expectRefused(post('/token/acme', redemption, { origin }), 403, 'unauthorized_client');
  expect(forwarded).toEqual([]);
});

test('no answer lets a web page read it, or is stored', async () => {
  const { post, send } = createRelayScene();
  const preflight = new Request('https://relay.example/token/acme', { method: 'OPTIONS' });
  const answers = [
    await post('/token/acme', redemption),
    await post('/token/acme', {}),
    await send(preflight),
  ];
  for (const { headers } of answers) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});
