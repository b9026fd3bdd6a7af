import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, EmbeddedJWK, jwtVerify } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { createAuthorizationRequest } from '../../src/oidc/authorize.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import { discover } from '../support/discover.ts';
import { generateDpopKey, requestUserInfo, wantsDpop } from '../../src/oidc/resource.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import type { AccessTokenSet } from '../../src/oidc/tokens.ts';
import { publishedKeys } from '../support/keys.ts';
import { stopClock } from '../support/stop-clock.ts';
import {
  createScriptedProvider,
  firstTokens,
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

/** The same key as a different object, as read from a database. */
const sameKey = () => structuredClone(dpopKey);

const dpopTokens = { ...firstTokens, type: 'DPoP' } as const;

/** Renews tokens. Where `metadata` are given, the token endpoint is the first to tell the time. */
async function renew({ client }: ScriptedProvider, key: CryptoKeyPair | null, metadata?: Metadata) {
  const known = metadata ?? (await discover(client));
  const keys = publishedKeys(client, known);
  const renewal = await renewTokens(client, known, keys, dpopTokens, { subject: 'ada', claims: null }, key);
  if (renewal.outcome !== 'renewed') throw renewal.problem;
  return renewal.tokens;
}

const userInfo = async ({ client }: ScriptedProvider, tokens: AccessTokenSet, key: CryptoKeyPair | null) =>
  requestUserInfo(client, await discover(client), tokens, { sub: 'ada' }, key);

/** Returns the proofs sent to `path`, after verifying each with the key in its header. */
function proofsAt({ requests }: ScriptedProvider, path: string) {
  const sent = requests.filter((request) => request.path === path);
  return Promise.all(sent.map(({ headers }) => jwtVerify(headers.get('dpop') ?? '', EmbeddedJWK)));
}

test('the private key is not extractable', async () => {
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
])('wantsDpop with dpop %s and supported algorithms %j: %s', async (dpop, offered, expected) => {
  const { client } = createScriptedProvider({ metadata: { dpop_signing_alg_values_supported: offered } });
  const metadata = await discover(client);
  const wanting = () => wantsDpop({ ...configured, dpop }, metadata);
  if (typeof expected === 'string') expect(wanting).toThrow(expected);
  else expect(wanting()).toBe(expected);
});

test('a sign-in without a key sends no proof and returns a Bearer token', async () => {
  const provider = createScriptedProvider();
  expect((await provider.signIn()).tokens.type).toBe('Bearer');
  expect(provider.requests.filter(({ headers }) => headers.has('dpop'))).toEqual([]);
});

const endpoint = { pushed_authorization_request_endpoint: `${issuer}/par` };
test.each<Script>([{}, { provider: { par: 'always' }, metadata: endpoint }])(
  'an authorization request binds the code to the key, pushed or not',
  async (script) => {
    const { client, requests } = createScriptedProvider(script);
    const metadata = await discover(client);
    const { url } = await createAuthorizationRequest(client, metadata, redirectUri, {}, dpopKey);
    const parameters = script.provider ? requests.at(-1)?.parameters : new URL(url).searchParams;
    const thumbprint = await calculateJwkThumbprint(await exportJWK(dpopKey.publicKey));
    expect(parameters?.get('dpop_jkt')).toBe(thumbprint);
  },
);

test('a proof for the token endpoint covers the request and contains only the public key', async () => {
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

test('a proof for UserInfo also covers the access token', async () => {
  const provider = createScriptedProvider();
  await userInfo(provider, dpopTokens, dpopKey);
  const [{ payload } = {}] = await proofsAt(provider, '/userinfo');
  const ath = createHash('sha256').update('access-0').digest('base64url');
  expect(payload).toMatchObject({ htm: 'GET', htu: `${issuer}/userinfo`, ath });
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('DPoP access-0');
});

test('every proof has its own jti', async () => {
  const provider = createScriptedProvider({ claims: { nonce: undefined } });
  for (let count = 0; count < 20; count += 1) await renew(provider, dpopKey);
  const names = (await proofsAt(provider, '/token')).map(({ payload }) => payload.jti);
  expect(new Set(names).size).toBe(20);
});

test("a proof is dated by the provider's clock as known at that time", async () => {
  stopClock();
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
  expect(dates).toEqual(times);
});

test('a demanded nonce is sent in a retry and remembered for later requests', async () => {
  const provider = createScriptedProvider({ dpopNonce: () => 'nonce-1' });
  const { tokens } = await provider.signIn(dpopKey);
  await userInfo(provider, tokens, sameKey());
  const nonces = async (path: string) =>
    (await proofsAt(provider, path)).map(({ payload }) => payload['nonce']);
  expect(await nonces('/token')).toEqual([undefined, 'nonce-1']);
  expect(await nonces('/userinfo')).toEqual(['nonce-1']);
  const [first, second] = provider.requests.filter(({ path }) => path === '/token');
  expect([...(second?.parameters ?? [])]).toEqual([...(first?.parameters ?? [])]);
});

test('the nonces of the ten keys that were used last are remembered', async () => {
  const provider = createScriptedProvider({ dpopNonce: () => 'nonce-1', claims: { nonce: undefined } });
  const countProofs = async (key: CryptoKeyPair) => {
    const before = provider.requests.length;
    await renew(provider, key);
    return provider.requests.slice(before).filter(({ path }) => path === '/token').length;
  };
  const others = await Promise.all(Array.from({ length: 10 }, generateDpopKey));
  for (const key of [dpopKey, ...others.slice(0, -1), dpopKey, ...others.slice(-1)]) await countProofs(key);
  expect(await countProofs(others[1]!)).toBe(1);
  expect(await countProofs(dpopKey)).toBe(1);
  expect(await countProofs(others[0]!)).toBe(2);
});

const minute = 60_000;
const late = { deviceAheadMs: 58 * minute };
const inBody = (error: string) => Response.json({ error }, { status: 400 });
const inChallenge = (error: string, scheme = 'DPoP') =>
  new Response('', { status: 401, headers: { 'www-authenticate': `${scheme} error="${error}"` } });
const proofRejected = inBody('invalid_dpop_proof');
const proofChallenged = inChallenge('invalid_dpop_proof');
const answering = (answer: Response): Script => ({ answers: { '/token': answer } });

const renewFirst = async (provider: ScriptedProvider) =>
  renew(provider, dpopKey, await discover(createScriptedProvider().client));

test.each([
  ['refused by a body', [proofRejected]],
  ['refused by a challenge', [proofChallenged]],
  ['refused by one of two challenges', [inChallenge('invalid_dpop_proof', 'Basic realm="x", DPoP')]],
  ['refused for its time and then for its nonce', [proofRejected, inBody('use_dpop_nonce')]],
])(
  'a proof %s is sent again with the time that the answer told, once for each refusal',
  async (_title, rejections) => {
    const left = [...rejections];
    const provider = createScriptedProvider({
      ...late,
      claims: { nonce: undefined },
      answers: { '/token': async () => left.shift()?.clone() ?? Response.json(await provider.tokenAnswer()) },
    });
    await renewFirst(provider);
    const times = (await proofsAt(provider, '/token')).map(({ payload }) => (payload.iat ?? 0) * 1000);
    const isRight = times.map((time) => Math.abs(time - Date.now()) < minute);
    expect(isRight).toEqual([false, ...rejections.map(() => true)]);
  },
);

test.each<[string, Script]>([
  ['whose answer tells no time', { ...late, sendsDate: false }],
  ['although its time was right', {}],
  ['by a challenge, although its time was right', answering(proofChallenged)],
  ['for another reason', { ...late, ...answering(inBody('invalid_request')) }],
  ['by a challenge for another reason', { ...late, ...answering(inChallenge('invalid_token')) }],
])('a proof refused %s is not sent once more, and no session ends', async (_title, script) => {
  const provider = createScriptedProvider({ ...answering(proofRejected), ...script });
  await expect(renewFirst(provider)).rejects.toMatchObject({ name: 'ProblemError' });
  expect(await proofsAt(provider, '/token')).toHaveLength(1);
});

test('a nonce demanded by UserInfo in a challenge is sent in a retry', async () => {
  const provider = createScriptedProvider({ dpopNonce: () => 'nonce-1' });
  await expect(userInfo(provider, dpopTokens, dpopKey)).resolves.toMatchObject({ subject: 'ada' });
  expect(await proofsAt(provider, '/userinfo')).toHaveLength(2);
});

test.each([inBody, inChallenge])(
  'a provider that keeps demanding nonces is asked twice, and the session stays',
  async (inAnswer) => {
    const provider = createScriptedProvider(answering(inAnswer('use_dpop_nonce')));
    await expect(renew(provider, dpopKey)).rejects.toMatchObject({ code: 'response-rejected' });
    expect(await proofsAt(provider, '/token')).toHaveLength(2);
  },
);

const required: Script = { provider: { dpop: 'required' } };
const bearer = { token_type: 'Bearer' };

test.each<[string, (provider: ScriptedProvider) => Promise<unknown>, Script]>([
  ['a Bearer token where DPoP is required', ({ signIn }) => signIn(dpopKey), { ...required, token: bearer }],
  ['a Bearer token without a key where DPoP is required', ({ signIn }) => signIn(), required],
  ['a DPoP token without a key', ({ signIn }) => signIn(), { token: { token_type: 'DPoP' } }],
])('a token response with %s is rejected', async (_title, ask, script) => {
  const problem = { code: 'response-rejected', detail: 'token: its token_type was not asked for' };
  await expect(ask(createScriptedProvider(script))).rejects.toMatchObject(problem);
});

test('a Bearer token is accepted and sent as Bearer where DPoP is optional', async () => {
  const provider = createScriptedProvider({ provider: { dpop: 'auto' }, token: bearer });
  const { tokens } = await provider.signIn(dpopKey);
  expect(tokens.type).toBe('Bearer');
  await userInfo(provider, tokens, dpopKey);
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer access-1');
});

test('tokens whose DPoP key is missing are expired without asking the provider', async () => {
  const provider = createScriptedProvider();
  const problem = { code: 'expired', detail: 'renewal: the key of the tokens is gone' };
  await expect(renew(provider, null)).rejects.toMatchObject(problem);
  expect(provider.paths()).not.toContain('/token');
});
