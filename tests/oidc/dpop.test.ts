import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, decodeProtectedHeader, exportJWK, EmbeddedJWK, jwtVerify } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { createAuthorizationRequest } from '../../src/oidc/authorize.ts';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { generateDpopKey, wantsDpop } from '../../src/oidc/dpop.ts';
import { requestUserInfo } from '../../src/oidc/redeem.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import type { TokenSet } from '../../src/oidc/tokens.ts';
import {
  createScriptedProvider,
  issuer,
  provider as configured,
  redirectUri,
  type Script,
  type ScriptedProvider,
} from '../support/scripted-provider.ts';

let dpopKey: CryptoKeyPair;
beforeEach(async () => {
  dpopKey = await generateDpopKey();
});

/** The same key as another object, as a database gives it back. */
const sameKey = () => structuredClone(dpopKey);

const boundTokens = {
  type: 'DPoP',
  accessToken: 'access-0',
  expiresAtMs: 0,
  refreshToken: 'refresh-0',
  idToken: null,
} as const satisfies TokenSet;

async function renew({ client }: ScriptedProvider, key: CryptoKeyPair | null, tokens = boundTokens) {
  const metadata = await discover(client);
  const ask = () => requestKeys(client, metadata);
  const keys = { current: ask, refetch: ask };
  const renewal = await renewTokens(client, metadata, keys, tokens, 'ada', key);
  if (renewal.outcome !== 'renewed') throw renewal.problem;
  return renewal.tokens;
}

const userInfo = async ({ client }: ScriptedProvider, tokens: TokenSet, key: CryptoKeyPair | null) =>
  requestUserInfo(client, await discover(client), tokens, { sub: 'ada' }, key);

/** The proofs that were sent to `path`, each with a signature by the key that it shows. */
function proofsAt({ requests }: ScriptedProvider, path: string) {
  const proofs = requests
    .filter((request) => request.path === path)
    .map(({ headers }) => headers.get('dpop') ?? '');
  return Promise.all(proofs.map((proof) => jwtVerify(proof, EmbeddedJWK)));
}

test('the private key cannot be read', async () => {
  expect(dpopKey.privateKey.extractable).toBe(false);
  await expect(crypto.subtle.exportKey('jwk', dpopKey.privateKey)).rejects.toThrow(/extractable/);
});

const otherProofs = 'provider-misconfigured: DPoP: the provider takes no ES256 proofs';

test.each<['off' | 'auto' | 'required', string[] | undefined, boolean | string]>([
  ['off', ['ES256'], false],
  ['auto', ['RS256', 'ES256'], true],
  ['auto', ['RS256'], false],
  ['auto', undefined, false],
  ['required', ['ES256'], true],
  ['required', undefined, true],
  ['required', ['RS256'], otherProofs],
])('with %s, where %j is offered, tokens are to be bound: %s', async (dpop, offered, expected) => {
  const { client } = createScriptedProvider({ metadata: { dpop_signing_alg_values_supported: offered } });
  const metadata = await discover(client);
  const wanting = () => wantsDpop({ ...configured, dpop }, metadata);
  if (typeof expected === 'string') expect(wanting).toThrow(expected);
  else expect(wanting()).toBe(expected);
});

test('a sign-in with a key has a bound token', async () => {
  const { tokens } = await createScriptedProvider().signIn(dpopKey);
  expect(tokens).toMatchObject({ type: 'DPoP', accessToken: 'access-1' });
});

test('a sign-in without a key sends no proof and has a Bearer token', async () => {
  const provider = createScriptedProvider();
  expect((await provider.signIn()).tokens.type).toBe('Bearer');
  expect(provider.requests.filter(({ headers }) => headers.has('dpop'))).toEqual([]);
});

test.each<Script>([
  {},
  {
    provider: { par: 'always' },
    metadata: { pushed_authorization_request_endpoint: `${issuer}/par` },
  },
])('the code is bound to the key, in the URL as in a pushed request', async (script) => {
  const { client, requests } = createScriptedProvider(script);
  const metadata = await discover(client);
  const { url } = await createAuthorizationRequest(client, metadata, redirectUri, {}, dpopKey);
  const asked = script.provider ? requests.at(-1)?.parameters : new URL(url).searchParams;
  expect(asked?.get('dpop_jkt')).toBe(await calculateJwkThumbprint(await exportJWK(dpopKey.publicKey)));
});

test('a proof at the token endpoint is of this request and shows the public key alone', async () => {
  const provider = createScriptedProvider({ metadata: { token_endpoint: `${issuer}/token?p=1` } });
  await provider.signIn(dpopKey);
  const [{ protectedHeader, payload } = {}] = await proofsAt(provider, '/token');
  expect(protectedHeader).toEqual({
    alg: 'ES256',
    typ: 'dpop+jwt',
    jwk: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
  });
  expect(payload).toEqual({
    iat: expect.any(Number),
    jti: expect.stringMatching(/^[\w-]{20,}$/),
    htm: 'POST',
    htu: `${issuer}/token`,
  });
});

test('a proof at UserInfo is of the access token too', async () => {
  const provider = createScriptedProvider();
  await userInfo(provider, boundTokens, dpopKey);
  const [{ payload } = {}] = await proofsAt(provider, '/userinfo');
  const ath = createHash('sha256').update('access-0').digest('base64url');
  expect(payload).toMatchObject({ htm: 'GET', htu: `${issuer}/userinfo`, ath });
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('DPoP access-0');
});

test('a Bearer token is presented as one, whether or not there is a key', async () => {
  const provider = createScriptedProvider();
  await userInfo(provider, { ...boundTokens, type: 'Bearer' }, dpopKey);
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer access-0');
  expect(provider.requests.at(-1)?.headers.has('dpop')).toBe(false);
});

test('no two proofs have the same name', async () => {
  const provider = createScriptedProvider({ claims: { nonce: undefined } });
  for (let count = 0; count < 20; count += 1) await renew(provider, dpopKey);
  const names = (await proofsAt(provider, '/token')).map(({ payload }) => payload.jti);
  expect(new Set(names).size).toBe(20);
});

test('proofs are dated by the clock of the provider, as it is known by then', async () => {
  const times = ['12:00', '15:00', '09:00'].map((time) => Date.parse(`2026-11-21T${time}:00Z`));
  const clock = { nowMs: 0 };
  const script: Script = { claims: { nonce: undefined }, nowMs: () => clock.nowMs };
  const provider = createScriptedProvider(script);
  for (const nowMs of times) {
    clock.nowMs = nowMs;
    script.deviceAheadMs = Date.now() - nowMs;
    await renew(provider, dpopKey);
  }
  const dates = (await proofsAt(provider, '/token')).map(({ payload }) => (payload.iat ?? 0) * 1000);
  for (const [index, date] of dates.entries())
    expect(Math.abs(date - (times[index] ?? 0))).toBeLessThan(10_000);
});

test('a nonce that is demanded is sent in a second try, and kept for the requests that follow', async () => {
  const provider = createScriptedProvider({ dpopNonce: () => 'nonce-1' });
  const { tokens } = await provider.signIn(dpopKey);
  await userInfo(provider, tokens, sameKey());
  const nonces = async (path: string) =>
    (await proofsAt(provider, path)).map(({ payload }) => payload['nonce']);
  expect(await nonces('/token')).toEqual([undefined, 'nonce-1']);
  expect(await nonces('/userinfo')).toEqual(['nonce-1']);
});

test('what is refused for another reason is not tried again', async () => {
  const answer = Response.json({ error: 'invalid_grant' }, { status: 400 });
  const provider = createScriptedProvider({ answers: { '/token': answer } });
  await expect(provider.signIn(dpopKey)).rejects.toMatchObject({ code: 'response-rejected' });
  expect(await proofsAt(provider, '/token')).toHaveLength(1);
});

test('the code is redeemed in the second try as in the first, with another proof', async () => {
  const provider = createScriptedProvider({ dpopNonce: () => 'nonce-1' });
  await provider.signIn(dpopKey);
  const [first, second] = provider.requests.filter(({ path }) => path === '/token');
  expect([...(second?.parameters ?? [])]).toEqual([...(first?.parameters ?? [])]);
  const [one, other] = await proofsAt(provider, '/token');
  expect(one?.payload.jti).not.toBe(other?.payload.jti);
});

test('the newest nonce is used, without another round trip', async () => {
  let nonce = 1;
  const provider = createScriptedProvider({
    dpopNonce: () => `nonce-${nonce}`,
    claims: { nonce: undefined },
  });
  await renew(provider, dpopKey);
  nonce = 2;
  await discover(provider.client);
  await renew(provider, sameKey());
  await renew(provider, sameKey());
  const nonces = (await proofsAt(provider, '/token')).map(({ payload }) => payload['nonce']);
  expect(nonces).toEqual([undefined, 'nonce-1', 'nonce-1', 'nonce-2', 'nonce-2']);
});

test('UserInfo demands its nonce by a challenge', async () => {
  const provider = createScriptedProvider({ dpopNonce: () => 'nonce-1' });
  await expect(userInfo(provider, boundTokens, dpopKey)).resolves.toMatchObject({ subject: 'ada' });
  expect(await proofsAt(provider, '/userinfo')).toHaveLength(2);
});

test.each([
  ['a body', Response.json({ error: 'use_dpop_nonce' }, { status: 400 })],
  [
    'a challenge',
    new Response(null, { status: 401, headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"' } }),
  ],
])(
  'a provider that demands another nonce for ever, by %s, is asked twice and ends no session',
  async (_title, answer) => {
    const provider = createScriptedProvider({ answers: { '/token': answer } });
    await expect(renew(provider, dpopKey)).rejects.toMatchObject({ code: 'response-rejected' });
    expect(await proofsAt(provider, '/token')).toHaveLength(2);
  },
);

test.each<[string, Script, boolean, string]>([
  ['a Bearer token where DPoP is required', { provider: { dpop: 'required' } }, true, 'Bearer'],
  ['a Bearer token where the key was forgotten', { provider: { dpop: 'required' } }, false, 'Bearer'],
  ['a bound token without a key', { provider: { dpop: 'auto' } }, false, 'DPoP'],
])('%s is rejected', async (_title, script, hasKey, token_type) => {
  const provider = createScriptedProvider({ ...script, token: { token_type } });
  const key = hasKey ? dpopKey : null;
  await expect(provider.signIn(key)).rejects.toMatchObject({ code: 'response-rejected' });
});

test('a renewal that is answered with a Bearer token is rejected where DPoP is required', async () => {
  const provider = createScriptedProvider({
    provider: { dpop: 'required' },
    token: { token_type: 'Bearer', id_token: undefined },
  });
  await expect(renew(provider, dpopKey)).rejects.toMatchObject({ code: 'response-rejected' });
});

test('a Bearer token is accepted where DPoP is only wished for, and presented as one', async () => {
  const provider = createScriptedProvider({ provider: { dpop: 'auto' }, token: { token_type: 'Bearer' } });
  const { tokens } = await provider.signIn(dpopKey);
  expect(tokens.type).toBe('Bearer');
  await userInfo(provider, tokens, dpopKey);
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer access-1');
});

test('renewed tokens are bound to the same key', async () => {
  const provider = createScriptedProvider({ claims: { nonce: undefined } });
  expect((await renew(provider, dpopKey)).type).toBe('DPoP');
  const { jwk } = decodeProtectedHeader(
    provider.requests.find(({ path }) => path === '/token')?.headers.get('dpop') ?? '',
  );
  expect(jwk).toMatchObject({ x: (await exportJWK(dpopKey.publicKey)).x });
});

test('bound tokens whose key is gone are over, and the provider is not asked', async () => {
  const provider = createScriptedProvider();
  await expect(renew(provider, null)).rejects.toMatchObject({
    code: 'expired',
    detail: 'renewal: the key of the tokens is gone',
  });
  expect(provider.paths()).not.toContain('/token');
});
