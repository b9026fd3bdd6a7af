// The provider's answers, friendly and hostile, and the relay's answers to them.

import { describe, expect, test, vi } from 'vitest';
import { acme, createRelayScene, redemption, revocation, tokenResponse } from '../../support/relay-scene.ts';

async function redeemAt(answer: () => Response | Promise<Response>) {
  const scene = createRelayScene({ answer });
  const response = await scene.post('/token/acme', redemption);
  const text = await response.text();
  const body = (text === '' ? null : JSON.parse(text)) as Record<string, unknown> | null;
  return { ...scene, status: response.status, headers: response.headers, body };
}

const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(body, init);

test('the known members of a token response are answered, and no other, nor a header', async () => {
  const all = { ...tokenResponse, refresh_token: 'refresh-1', id_token: 'a.b.c', scope: 'openid' };
  const others = { headers: { 'set-cookie': 'a=b', etag: 'c' } };
  const answer = json({ ...all, secret: 'x', error_description: 'y' }, others);
  const { status, body, headers } = await redeemAt(answer);
  expect([status, body]).toEqual([200, all]);
  expect(Object.fromEntries(headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
  });
});

test.each([
  ['a list of scopes', { scope: ['openid', 'user:read'] }, { scope: 'openid user:read' }],
  ['a lifetime as text', { expires_in: '300' }, { expires_in: 300 }],
  ['members that are null', { refresh_token: null, scope: null }, {}],
])('%s is made standard', async (_case, members, standard) => {
  const { body } = await redeemAt(json({ ...tokenResponse, ...members }));
  expect(body).toEqual({ ...tokenResponse, ...standard });
});

test.each([
  ['an error with status 200', 200, { error: 'bad_verification_code' }, 400],
  ['an error with status 403', 403, { error: 'invalid_grant' }, 400],
  ['an error of the standard', 400, { error: 'invalid_grant' }, 400],
  ['an error beside tokens', 200, { ...tokenResponse, error: 'invalid_grant' }, 400],
  ['a wrong secret', 400, { error: 'invalid_client' }, 401],
])('%s gets the status of the standard', async (_case, status, answered, expected) => {
  const answer = await redeemAt(json({ ...answered, error_description: 'Why.' }, { status }));
  expect(answer.status).toBe(expected);
  expect(answer.body).toEqual({ error: (answered as { error: string }).error, error_description: 'Why.' });
});

test.each([
  ['a redirect', () => new Response(null, { status: 307, headers: { location: 'https://evil.example' } })],
  ['a hidden redirect', () => Object.defineProperty(new Response(null), 'status', { value: 0 })],
])('%s is not followed', async (_case, answer) => {
  const { status, body, forwarded } = await redeemAt(answer);
  expect([status, body]).toMatchObject([502, { error: 'server_error' }]);
  expect(forwarded).toHaveLength(1);
});

test.each([400, 401])(
  'a %i without a reason stays one, so that the extension ends the session',
  async (status) => {
    expect(await redeemAt(() => new Response('', { status }))).toMatchObject({ status, body: null });
    expect(await redeemAt(json({ message: 'no' }, { status }))).toMatchObject({ status, body: null });
  },
);

const asPage = { 'content-type': 'text/html' };
const latin1 = '{"access_token":"access-1\u00ff"}';

test.each([
  ['a web page with 401', () => new Response('<html>', { status: 401, headers: asPage })],
  ['a web page without a type', () => new Response(' <!doctype html>', { status: 400 })],
  ['a web page with 200', () => new Response('<html>')],
  ['a 404', () => new Response('', { status: 404 })],
  ['a 404 with tokens', json(tokenResponse, { status: 404 })],
  ['a body that is no JSON', () => new Response('access_token=a&token_type=bearer')],
  ['a list', json([tokenResponse])],
  ['an answer without an access token', json({ token_type: 'Bearer' })],
  ['an access token that is no text', json({ ...tokenResponse, access_token: { a: 1 } })],
  ['a lifetime that is no number', json({ ...tokenResponse, expires_in: 'soon' })],
  ['a lifetime with a sign', json({ ...tokenResponse, expires_in: '+300' })],
  ['a negative lifetime', json({ ...tokenResponse, expires_in: -1 })],
  ['an error that is an object', json({ error: { message: 'x' } })],
  ['an error that ends with a quotation mark', json({ error: 'evil"' })],
  ['a token with a byte that is not UTF-8', () => new Response(Buffer.from(latin1, 'latin1'))],
  ['a body that is too large', () => new Response('x'.repeat(256 * 1024 + 1))],
  ['a failure of the provider', () => new Response('<html>', { status: 500 })],
  ['a connection that fails', () => Promise.reject(new TypeError(`to ${acme.clientSecret}`))],
])('%s is answered with 502, and nothing of it', async (_case, answer) => {
  const { status, body, forwarded } = await redeemAt(answer);
  expect(status).toBe(502);
  expect(body).toEqual({
    error: expect.stringMatching(/^(?:server_error|temporarily_unavailable)$/),
    error_description: expect.stringMatching(/^The .*\.$/),
  });
  expect(JSON.stringify(body)).not.toMatch(/access-1|evil|secret \+/);
  expect(forwarded).toHaveLength(1);
});

test.each([
  [429, '7', '7'],
  [503, 'Sun, 22 Nov 2026 11:00:00 GMT', 'Sun, 22 Nov 2026 11:00:00 GMT'],
  [503, 'soon <script>', null],
  [429, null, null],
])('a %i keeps its status and a readable Retry-After (%s)', async (status, sent, expected) => {
  const headers = sent === null ? undefined : { 'retry-after': sent };
  const answer = await redeemAt(() => new Response('', { status, ...(headers && { headers }) }));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, expected]);
  const error_description = "The provider isn't available.";
  expect(answer.body).toEqual({ error: 'temporarily_unavailable', error_description });
});

test.each(['a\u0007', '\u0007a', 'a'.repeat(1_001)])(
  'a reason that no log could show is left out, and the error stays',
  async (why) => {
    const { body } = await redeemAt(json({ error: 'invalid_grant', error_description: why }));
    expect(body).toEqual({ error: 'invalid_grant' });
  },
);

test.each([
  ['headers never arrive', (signal: AbortSignal) => aborted(signal)],
  [
    'body never ends',
    (signal: AbortSignal) =>
      new Response(
        new ReadableStream({ start: (c) => void aborted(signal).catch((e: unknown) => c.error(e)) }),
      ),
  ],
])('a provider whose %s is given up after 25 s', async (_case, answer) => {
  const deadline = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  const { post } = createRelayScene({
    answer: ({ init }) => {
      queueMicrotask(() => deadline.abort());
      return answer(init.signal ?? new AbortController().signal);
    },
  });
  const response = await post('/token/acme', redemption);
  expect([response.status, await response.json()]).toMatchObject([504, { error: 'temporarily_unavailable' }]);
  expect(timeout.mock.lastCall).toEqual([25_000]);
});

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('aborted'))),
  );
}

describe('the secret', () => {
  const spellings = [
    acme.clientSecret,
    encodeURIComponent(acme.clientSecret),
    new URLSearchParams({ x: acme.clientSecret }).toString().slice(2),
    btoa(`latchkey:${new URLSearchParams({ x: acme.clientSecret }).toString().slice(2)}`),
  ];
  const places = (text: string) => [
    json({ ...tokenResponse, access_token: `a ${text} b` }),
    json({ ...tokenResponse, scope: ['openid', text] }),
    json({ ...tokenResponse, id_token: text, token_type: text }),
    json({ error: 'invalid_client', error_description: `wrong: ${text}` }, { status: 401 }),
    json({ error: text.slice(0, 100) }, { status: 400 }),
  ];

  test('never comes back, wherever the provider repeats it', async () => {
    for (const spelling of spellings) {
      for (const answer of places(spelling)) {
        const { status, body, log } = await redeemAt(answer);
        expect(status).toBe(502);
        for (const each of spellings) expect(JSON.stringify([body, log])).not.toContain(each);
      }
    }
  });
});

test('a secret that could be a Retry-After does not come back in one', async () => {
  const clientSecret = 'abcdefghijklmnopqrstuvwxyz012';
  const headers = { 'retry-after': clientSecret };
  const busy = () => new Response('', { status: 503, headers });
  const { post } = createRelayScene({ provider: { clientSecret }, answer: busy });
  const answer = await post('/token/acme', redemption);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, null]);
});

test('the log has the provider, the status and an error code, and nothing else', async () => {
  for (const [answer, status, error] of [
    [json(tokenResponse), 200, null],
    [json({ error: 'invalid_grant', error_description: 'of code-1' }, { status: 400 }), 400, 'invalid_grant'],
    [json({ error: 'code-1' }, { status: 400 }), 400, 'other'],
    [json({ error: 'bad_verification_code' }), 400, 'bad_verification_code'],
  ] as const) {
    const { log } = await redeemAt(answer);
    expect(log).toEqual([{ provider: 'acme', purpose: 'token', status, error }]);
  }
});

test('a revocation is answered without a body, whatever the provider adds', async () => {
  const { post } = createRelayScene({ answer: json(tokenResponse) });
  const answer = await post('/revoke/acme', revocation);
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(answer.headers.get('content-type')).toBeNull();
});

test('a revocation that ends in a 404 has failed', async () => {
  const { post } = createRelayScene({ answer: () => new Response('', { status: 404 }) });
  expect((await post('/revoke/acme', revocation)).status).toBe(502);
});

test('a refused revocation is answered with the provider’s error', async () => {
  const { post } = createRelayScene({ answer: json({ error: 'unsupported_token_type' }, { status: 400 }) });
  const answer = await post('/revoke/acme', revocation);
  expect([answer.status, await answer.json()]).toEqual([400, { error: 'unsupported_token_type' }]);
});
