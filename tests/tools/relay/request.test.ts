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
  type RelaySceneOptions,
} from '../../support/relay-scene.ts';

const firefoxOrigin = 'moz-extension://0f3f2b1a-8d5e-4c1b-9a7e-1c2d3e4f5a6b';

/** Without the fields that are undefined. */
const toForm = (fields: Fields) => JSON.parse(JSON.stringify(fields)) as Record<string, string>;

/** A form as it is forwarded to a provider that gets the client's id in the `Authorization` header. */
const withoutClientId = ({ client_id: _clientId, ...fields }: Readonly<Record<string, string>>) => fields;

type Fields = Readonly<Record<string, string | undefined>>;

/** Posts a form to a relay. */
async function post(
  path: string,
  fields: Fields | string,
  options: RelaySceneOptions = {},
  headers?: HeadersInit,
) {
  const scene = createRelayScene(options);
  const answer = await scene.post(path, typeof fields === 'string' ? fields : toForm(fields), headers);
  const [forwarded] = scene.forwarded;
  const sent = Object.fromEntries(forwarded?.form ?? []);
  return { ...scene, answer, forwarded, sent, count: scene.forwarded.length };
}

/** A refusal says in a sentence what is wrong. */
async function expectRefusal(answer: Response, status: number, error: string): Promise<void> {
  const { error: code, error_description: why } = (await answer.json()) as Record<string, string>;
  expect([answer.status, code, why]).toEqual([status, error, expect.stringMatching(/^[A-Z].*\.$/)]);
}

/** Posts a form that is refused, and of which nothing is forwarded. */
async function expectRefused(status: number, error: string, ...request: Parameters<typeof post>) {
  const { answer, count, log } = await post(...request);
  await expectRefusal(answer, status, error);
  expect(count).toBe(0);
  return log;
}

test('a code is forwarded to the configured endpoint, with the secret and without a redirect to follow', async () => {
  const { answer, forwarded, sent, count } = await post('/token/acme', redemption);
  expect([answer.status, count, forwarded?.url]).toEqual([200, 1, acme.tokenEndpoint]);
  expect(forwarded?.init).toMatchObject({ method: 'POST', redirect: 'manual' });
  expect(sent).toEqual(withoutClientId(redemption));
  // RFC 6749, section 2.3.1: form-encoded, then in base64.
  const basic = btoa('latchkey:the+secret+%2B+of%2Facme');
  expect(Object.fromEntries(forwarded?.headers ?? [])).toEqual({
    accept: 'application/json',
    authorization: `Basic ${basic}`,
    'content-type': 'application/x-www-form-urlencoded',
  });
});

test('the secret is sent in the form where client_secret_post is configured', async () => {
  const provider = { clientAuthentication: 'client_secret_post' } as const;
  const { forwarded, sent } = await post('/token/acme', renewal, { provider });
  expect(sent).toEqual({ ...renewal, client_secret: acme.clientSecret });
  expect(forwarded?.headers.has('authorization')).toBe(false);
});

const further = { scope: 'openid', resource: 'https://api.acme.example' };
const forCode = { ...redemption, ...further };
const forApi = { ...renewal, ...further, audience: 'pay' };
const unneeded = {
  client_secret: 'x',
  client_assertion: 'a.b.c',
  password: 'x',
  refresh_token: 'r',
  audience: 'a',
};

test.each([
  ['a code is forwarded, with the scope and resource of its token', forCode, forCode],
  ['a refresh token is forwarded, with what the token of an API is for', forApi, forApi],
  ['a parameter without a value counts as absent', { ...renewal, scope: '', client_secret: '' }, renewal],
  ['fields that no token request needs are left out', { ...redemption, ...unneeded }, redemption],
])('%s', async (_title, fields, expected) => {
  const { answer, sent } = await post('/token/acme', fields);
  expect([answer.status, sent]).toEqual([200, withoutClientId(expected)]);
});

test('a client ID with other characters is encoded in the header', async () => {
  const clientId = 'latchkey: of/acme';
  const fields = { ...renewal, client_id: clientId };
  const { forwarded } = await post('/token/acme', fields, { provider: { clientId } });
  const basic = btoa('latchkey%3A+of%2Facme:the+secret+%2B+of%2Facme');
  expect(forwarded?.headers.get('authorization')).toBe(`Basic ${basic}`);
});

test('a revocation is forwarded to the revocation endpoint, with the secret', async () => {
  const options = { answer: () => new Response(null) };
  const { answer, forwarded, sent } = await post('/revoke/acme', revocation, options);
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect([forwarded?.url, sent]).toEqual([acme.revocationEndpoint, withoutClientId(revocation)]);
  expect(forwarded?.headers.get('authorization')).toMatch(/^Basic /);
});

test.each(['/', '/token/other', '/token/acme/', '/tokens/acme', '/token/acme%2f', '/at/token/acme'])(
  'the path %s does not exist',
  async (path) => {
    const log = await expectRefused(404, 'invalid_request', path, redemption);
    expect(log).toEqual([{ provider: null, purpose: null, status: 404, error: 'invalid_request' }]);
  },
);

test('a query is ignored, and nothing in it is forwarded', async () => {
  const path = '/token/acme?client_secret=x&url=https://evil.example';
  const { forwarded, sent } = await post(path, redemption);
  expect([forwarded?.url, sent]).toEqual([acme.tokenEndpoint, withoutClientId(redemption)]);
});

test('a revocation is refused where no endpoint for it is configured', async () => {
  const provider = { revocationEndpoint: null };
  await expectRefused(404, 'invalid_request', '/revoke/acme', revocation, { provider });
});

test.each(['GET', 'PUT', 'OPTIONS'])('%s is refused', async (method) => {
  const { send, forwarded } = createRelayScene();
  const answer = await send(new Request('https://relay.example/token/acme', { method }));
  expect(answer.headers.get('allow')).toBe('POST');
  await expectRefusal(answer, 405, 'invalid_request');
  expect(forwarded).toEqual([]);
});

const padded = (bytes: number) => {
  const text = new URLSearchParams(redemption).toString();
  return `${text}&x=${'x'.repeat(bytes - text.length - 3)}`;
};

test('the extension may have several redirect URIs, of other browsers too', async () => {
  const provider = { redirectUris: ['https://other.extensions.allizom.org/acme', redirectUri] };
  const { answer } = await post('/token/acme', redemption, { provider }, { origin: chromiumOrigin });
  expect(answer.status).toBe(200);
});

test('a body of 8 KiB is accepted, and one byte more is refused', async () => {
  expect((await post('/token/acme', padded(8192))).answer.status).toBe(200);
  await expectRefused(400, 'invalid_request', '/token/acme', padded(8193));
});

/** Sends a body that is no form. */
async function sendBody(body: BodyInit) {
  const scene = createRelayScene();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const init = { method: 'POST', body, headers, duplex: 'half' };
  const answer = await scene.send(new Request('https://relay.example/token/acme', init));
  await expectRefusal(answer, 400, 'invalid_request');
  expect(scene.forwarded).toEqual([]);
  return scene.log;
}

test('a body that never ends is refused as soon as it is too large', async () => {
  let cancelled = false;
  await sendBody(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024).fill(0x61)),
      cancel: () => void (cancelled = true),
    }),
  );
  expect(cancelled).toBe(true);
});

test('a body whose connection fails is answered, and nothing is forwarded', async () => {
  const pull = () => Promise.reject(new Error('code-1 was cut off'));
  expect(JSON.stringify(await sendBody(new ReadableStream({ pull })))).not.toContain('code-1');
});

test('a body that is not UTF-8 is refused', async () => {
  expect(await sendBody(new Uint8Array([0x61, 0xff, 0xfe]))).toHaveLength(1);
});

test.each(['grant_type', 'client_id', 'code', 'code_verifier', 'redirect_uri', 'unknown'])(
  'a form with %s twice is refused',
  async (name) => {
    const twice = `${new URLSearchParams({ unknown: '', ...redemption }).toString()}&${name}=`;
    await expectRefused(400, 'invalid_request', '/token/acme', twice);
  },
);

const evil = 'https://evil.example/acme';

test.each<[string, Fields, string]>([
  ['another grant_type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ['a built-in name as grant_type', { grant_type: 'constructor' }, 'unsupported_grant_type'],
  ['no grant_type', { grant_type: undefined }, 'unsupported_grant_type'],
  ['another client_id', { client_id: 'another' }, 'invalid_request'],
  ['no client_id', { client_id: undefined }, 'invalid_request'],
  ['a client_id in other case', { client_id: 'Latchkey' }, 'invalid_request'],
  ['another redirect_uri', { redirect_uri: evil }, 'invalid_redirect_uri'],
  ['a longer redirect_uri', { redirect_uri: `${redirectUri}/x` }, 'invalid_redirect_uri'],
  ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
  ['no code', { code: undefined }, 'invalid_request'],
  ['a code with a line break', { code: 'code\r\n1' }, 'invalid_request'],
  ['no code_verifier', { code_verifier: undefined }, 'invalid_request'],
  ['a code_verifier that is too short', { code_verifier: 'v'.repeat(42) }, 'invalid_request'],
  ['a code_verifier that is too long', { code_verifier: 'v'.repeat(129) }, 'invalid_request'],
  ['a code_verifier with other characters', { code_verifier: `${'v'.repeat(43)}+` }, 'invalid_request'],
  ['no refresh_token', { ...renewal, refresh_token: undefined }, 'invalid_request'],
  ['a refresh_token that is not ASCII', { ...renewal, refresh_token: 'é' }, 'invalid_request'],
])('a token request with %s is refused', async (_case, change, error) => {
  await expectRefused(400, error, '/token/acme', { ...redemption, ...change });
});

test.each<[string, Fields]>([
  ['no token', { token: undefined }],
  ['another client_id', { client_id: 'another' }],
  ['an unknown token_type_hint', { token_type_hint: 'id_token' }],
])('a revocation with %s is refused', async (_case, change) => {
  await expectRefused(400, 'invalid_request', '/revoke/acme', { ...revocation, ...change });
});

test('a request with a DPoP proof is refused, which names the address of the relay', async () => {
  await expectRefused(400, 'invalid_request', '/token/acme', redemption, {}, { dpop: 'a.b.c' });
});

test.each([
  ['of the extension in Chromium', chromiumOrigin],
  ['of any extension in Firefox, whose id differs everywhere', firefoxOrigin],
])('the Origin %s is accepted', async (_case, origin) => {
  expect((await post('/token/acme', redemption, {}, { origin })).answer.status).toBe(200);
});

test.each([
  'chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh',
  'https://evil.example',
  `${chromiumOrigin}.evil.example`,
  `https://evil.example/${chromiumOrigin}`,
  `evil${firefoxOrigin}`,
  `${firefoxOrigin}.evil.example`,
])('the Origin "%s" is refused', async (origin) => {
  await expectRefused(403, 'unauthorized_client', '/token/acme', redemption, {}, { origin });
});

test('no answer lets a web page read it, or is stored', async () => {
  const preflight = new Request('https://relay.example/token/acme', { method: 'OPTIONS' });
  const { answer, send } = await post('/token/acme', redemption);
  for (const { headers } of [answer, (await post('/token/acme', {})).answer, await send(preflight)]) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});
