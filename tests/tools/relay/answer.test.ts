// The provider's answers, friendly and hostile, and the relay's answers to them.

import { describe, expect, test, vi } from 'vitest';
import { acme, createRelayScene, redemption, revocation, tokenResponse } from '../../support/relay-scene.ts';

async function redeemAt(answer: () => Response | Promise<Response>) {
  const scene = createRelayScene({ answer });
  const response = await scene.post('/token/acme', redemption);
  return { ...scene, status: response.status, headers: response.headers, text: await response.text() };
}

const json = { 'content-type': 'application/json' };
const error = '{"error":"invalid_grant","error_description":"Why."}';

test.each([
  ['tokens', 200, JSON.stringify({ ...tokenResponse, scope: ['openid'], more: 1 }), json],
  ['an error', 400, error, json],
  ['an error with a status of its own', 200, error, json],
  [
    'a form',
    200,
    'access_token=a&token_type=bearer',
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
  ['a refusal without a reason', 401, '', {}],
  ['a web page', 401, '<html>', { 'content-type': 'text/html; charset=utf-8' }],
  ['a limit', 429, '', { 'retry-after': '7' }],
  ['a failure', 503, '', { 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT' }],
])('%s is answered as it is, without other headers', async (_what, status, text, headers) => {
  const sent = { ...headers, 'set-cookie': 'a=b', etag: 'c' };
  const answer = await redeemAt(() => new Response(text, { status, headers: sent }));
  expect([answer.status, answer.text]).toEqual([status, text]);
  const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  expect(Object.fromEntries(answer.headers)).toMatchObject({ ...headers, ...always });
  expect([...answer.headers.keys()]).not.toEqual(expect.arrayContaining(['set-cookie']));
});

test.each([
  ['a redirect', () => new Response(null, { status: 307, headers: { location: 'https://evil.example' } })],
  ['a hidden redirect', () => Object.defineProperty(new Response(null), 'status', { value: 0 })],
])('%s is not followed', async (_case, answer) => {
  const { status, text, forwarded } = await redeemAt(answer);
  expect([status, JSON.parse(text)]).toMatchObject([502, { error: 'server_error' }]);
  expect(forwarded).toHaveLength(1);
});

test.each([
  ['a token with a byte that is not UTF-8', () => new Response(Buffer.from('access-1\u00ff', 'latin1'))],
  ['a body that is too large', () => new Response('x'.repeat(256 * 1024 + 1))],
  ['a connection that fails', () => Promise.reject(new TypeError(`to ${acme.clientSecret}`))],
])('%s is answered with 502, and nothing of it', async (_case, answer) => {
  const { status, text, forwarded } = await redeemAt(answer);
  expect(status).toBe(502);
  expect(JSON.parse(text)).toEqual({
    error: expect.stringMatching(/^(?:server_error|temporarily_unavailable)$/),
    error_description: expect.stringMatching(/^The .*\.$/),
  });
  expect(text).not.toMatch(/access-1|secret \+/);
  expect(forwarded).toHaveLength(1);
});

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
    new Response(`<p>${text}`),
    Response.json({ ...tokenResponse, access_token: `a ${text} b` }),
    // As PHP writes JSON.
    new Response(JSON.stringify({ scope: ['openid', text] }).replaceAll('/', '\\/')),
    Response.json({ error: 'invalid_client', error_description: `wrong: ${text}` }, { status: 401 }),
    Response.json({ error: text }, { status: 400 }),
  ];

  test('never comes back, wherever the provider repeats it', async () => {
    for (const spelling of spellings) {
      for (const answer of places(spelling)) {
        const { status, text, log } = await redeemAt(() => answer);
        expect(status).toBe(502);
        for (const each of spellings) expect(JSON.stringify([text, log])).not.toContain(each);
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
  for (const [answer, status, code] of [
    [tokenResponse, 200, null],
    [{ error: 'invalid_grant', error_description: 'of code-1' }, 400, 'invalid_grant'],
    [{ error: 'code-1' }, 400, 'other'],
  ] as const) {
    const { log } = await redeemAt(() => Response.json(answer, { status }));
    expect(log).toEqual([{ provider: 'acme', purpose: 'token', status, error: code }]);
  }
});

test('a revocation is answered like any other request', async () => {
  const { post } = createRelayScene({ answer: () => new Response('', { status: 404 }) });
  expect((await post('/revoke/acme', revocation)).status).toBe(404);
});
