import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { generateDpopKey, requestResource } from '../../src/oidc/resource.ts';
import type { TokenSet } from '../../src/oidc/tokens.ts';
import { createScriptedProvider, firstTokens } from '../support/scripted-provider.ts';

const dpopKey = await generateDpopKey();
const bound: TokenSet = { ...firstTokens, type: 'DPoP' };

const demand = (nonce: string, cancelled = () => undefined as void) =>
  new Response(new ReadableStream({ cancel: cancelled }), {
    status: 401,
    headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': nonce },
  });

/** Sends one request with `tokens` to an API that returns these responses in turn. */
async function request(tokens: TokenSet, responses: Response[]) {
  const { client } = createScriptedProvider();
  const sent: Headers[] = [];
  const headers = new Headers({ 'x-mine': 'yes' });
  const own = { url: 'https://api.example/things?page=2', method: 'POST', headers };
  const send = async (withToken: HeadersInit) => {
    sent.push(new Headers(withToken));
    return responses.shift() ?? new Response('yes');
  };
  const ask = () => requestResource(client, tokens, dpopKey, own, send);
  return { response: await ask(), sent, ask };
}

const noncesOf = (sent: Headers[]) => sent.map((headers) => decodeJwt(headers.get('dpop') ?? '')['nonce']);

describe('requestResource', () => {
  test('sends a Bearer token as Bearer without a proof', async () => {
    const { sent } = await request(firstTokens, []);
    expect(sent.map((headers) => headers.get('authorization'))).toEqual(['Bearer access-0']);
    expect(sent[0]?.has('dpop')).toBe(false);
    expect(sent[0]?.get('x-mine')).toBe('yes');
  });

  test('returns a response whose challenge is too long to be read as it is, and remembers its nonce', async () => {
    const challenge = 'DPoP error="use_dpop_nonce"'.padEnd(5000, ', a=b');
    const headers = { 'www-authenticate': challenge, 'dpop-nonce': 'nonce-1' };
    const long = new Response('why', { status: 401, headers });
    const { response, sent, ask } = await request(bound, [long]);
    expect(response).toBe(long);
    expect(await response.text()).toBe('why');
    await ask();
    expect(noncesOf(sent)).toEqual([undefined, 'nonce-1']);
  });

  test('retries once with a demanded nonce and cancels the first body', async () => {
    let cancelled = 0;
    const { response, sent, ask } = await request(bound, [demand('one', () => void (cancelled += 1))]);
    expect(await response.text()).toBe('yes');
    expect(cancelled).toBe(1);
    await ask();
    expect(noncesOf(sent)).toEqual([undefined, 'one', 'one']);
  });

  test('returns an answer without a status, as a redirect that is not followed has none', async () => {
    const redirect = Response.error();
    expect((await request(bound, [redirect])).response).toBe(redirect);
  });

  test('returns a second demand for a nonce with its body unread', async () => {
    const { status, headers } = demand('one');
    const second = demand('two');
    const { response, sent } = await request(bound, [new Response(null, { status, headers }), second]);
    expect(response).toBe(second);
    expect(response.bodyUsed).toBe(false);
    expect(sent).toHaveLength(2);
  });
});
