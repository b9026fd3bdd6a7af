import { createHash } from 'node:crypto';
import { UnsecuredJWT, type JWK } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { findFailedClaim } from '../../src/oidc/problems.ts';
import type { Obtained } from '../../src/oidc/code-flow.ts';
import {
  createScriptedProvider,
  createSigningKey,
  issuer,
  signIdToken,
  type Script,
  type SigningKey,
} from '../support/scripted-provider.ts';
import { stopClock } from '../support/stop-clock.ts';

const now = () => Math.floor(Date.now() / 1000);
const signInWithCode = (script: Script) => createScriptedProvider(script).signIn();
/** The checks do not depend on the way of an ID token, but for `at_hash`: there is no access token beside it. */
const flows: Readonly<Record<string, (script: Script) => Promise<Obtained>>> = {
  'from the token endpoint': signInWithCode,
  'in the redirect'(script) {
    const provider = { ...script.provider, responseType: 'id_token' } as const;
    return createScriptedProvider({ ...script, provider }).signInWithIdToken();
  },
};

const rsaKey = await createSigningKey('rsa-1', 'RS256');
const otherKey = await createSigningKey('key-1');
const unknownKey = await createSigningKey('key-2');
const anonymousKey = await createSigningKey(null);
const secret = { privateKey: new TextEncoder().encode('client'.padEnd(32, '.')), jwk: { alg: 'HS256' } };
const hs256 = (claims: Record<string, unknown>) => signIdToken(claims, secret as unknown as SigningKey);
const unsigned = (claims: Record<string, unknown>) => new UnsecuredJWT(claims).encode();
const advertising = (...names: string[]) => ({ id_token_signing_alg_values_supported: names });

test('a valid ID token signs the user in', async () => {
  await expect(signInWithCode({})).resolves.toMatchObject({
    profile: { subject: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: true },
    tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' },
  });
});

const noon = Date.parse('2026-11-21T12:00:00Z') / 1000;
const critical = { crit: ['b64'], b64: true };

/** A token with a list of audiences, and with this client as the authorized party by default. */
const among = (
  aud: unknown[],
  trustedAudiences: Provider['trustedAudiences'] = [],
  ...azp: unknown[]
): Script => ({ provider: { trustedAudiences }, claims: { aud, azp: azp.length === 0 ? 'client' : azp[0] } });

describe.each(Object.entries(flows))('%s', (_way, signIn) => {
  test.each<[string, Script]>([
    ['RS256', { signingKey: rsaKey, metadata: advertising('RS256') }],
    ['an audience list with only this client', { claims: { aud: ['client'] } }],
    ['this client as authorized party', { claims: { azp: 'client' } }],
    ['a further audience that is trusted', among(['another', 'client'], ['project', 'another'])],
    ['further audiences where any is trusted', among(['one', 'client', 'two'], 'any')],
    ['this client twice as audience', among(['client', 'client'])],
    ['a subject of 255 characters', { claims: { sub: 'x'.repeat(255) } }],
  ])('an ID token with %s is accepted', async (_title, script) => {
    await expect(signIn(script)).resolves.toBeDefined();
  });

  // oauth4webapi names no claim if one is missing or of the wrong type.
  test.each<[title: string, script: Script, failed?: string]>([
    ['no signature', { idToken: unsigned }],
    ['no signature from a provider of alg none', { metadata: advertising('none'), idToken: unsigned }],
    ['an HMAC with the client id as key', { idToken: hs256 }],
    ['such an HMAC where HS256 is advertised', { metadata: advertising('HS256', 'ES256'), idToken: hs256 }],
    ['a signature by another key with the same kid', { idToken: (claims) => signIdToken(claims, otherKey) }],
    ['an algorithm that is not advertised', { signingKey: rsaKey, metadata: advertising('ES256') }],
    ['a key that is not published', { publishedKeys: () => [] }],
    ['an unknown critical header', { idToken: (claims) => signIdToken(claims, undefined, critical) }],
    ['an invalid key', { publishedKeys: () => [{ kty: 'EC', crv: 'P-256', x: '!', y: '' }] }],
    ['a malformed signature', { idToken: async (claims) => `${await signIdToken(claims)}!` }],
    ['a space in its signature', { idToken: async (own) => (await signIdToken(own)).replace(/.$/, ' $&') }],
    ['a line break at its end', { idToken: async (claims) => `${await signIdToken(claims)}\n` }],
    ['three words instead of a JWT', { idToken: () => 'not.a.token' }],
    ['no value at all', { token: { id_token: undefined } }],
    ['a number instead of a JWT', { token: { id_token: 7 } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }, 'iss'],
    ['an issuer with a trailing slash', { claims: { iss: `${issuer}/` } }, 'iss'],
    ['no issuer', { claims: { iss: undefined } }],
    ['another audience', { claims: { aud: 'another' } }, 'aud'],
    ['a further audience', among(['client', 'another']), 'aud'],
    ['a further audience beside a trusted one', among(['client', 'a', 'b'], ['a']), 'aud'],
    ['a further audience where one called "any" is trusted', among(['client', 'a'], ['any']), 'aud'],
    ...(['any', ['project']] as const).flatMap((trusted): [string, Script, string][] => {
      const further = ['client', 'project'];
      const where = `where ${JSON.stringify(trusted)} is trusted`;
      return [
        [`no authorized party ${where}`, among(further, trusted, undefined), 'aud'],
        [`another authorized party ${where}`, among(further, trusted, 'project'), 'azp'],
        [`other audiences alone ${where}`, among(['project'], trusted), 'aud'],
        [`an audience that is no text ${where}`, among(['client', 7], trusted), 'aud'],
      ];
    }),
    ['no audience', { claims: { aud: undefined } }],
    ['an audience that is a number', { claims: { aud: 7 } }],
    ['another authorized party', { claims: { azp: 'another' } }, 'azp'],
    ['no expiry', { claims: { exp: undefined } }],
    ['an expiry that is a string', { claims: { exp: 'tomorrow' } }],
    ['no issue time', { claims: { iat: undefined } }],
    ['another nonce', { claims: { nonce: 'another' } }, 'nonce'],
    ['no nonce', { claims: { nonce: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an empty subject', { claims: { sub: '' } }, 'sub'],
    ['a subject of 256 characters', { claims: { sub: 'x'.repeat(256) } }, 'sub'],
    ['a subject beyond ASCII', { claims: { sub: 'zoë' } }, 'sub'],
    ['a subject that is a number', { claims: { sub: 7 } }],
  ])('an ID token with %s is rejected', async (_title, script, failed) => {
    const error = await signIn(script).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'response-rejected' });
    expect(findFailedClaim(error)?.claim).toBe(failed);
  });

  test.each<[string, claim: string, last: number, step: 1 | -1]>([
    ['was issued 300 s in the future', 'iat', 300, 1],
    ['was issued 600 s ago', 'iat', -600, -1],
    ['becomes valid in 300 s', 'nbf', 300, 1],
    ['expired 29 s ago', 'exp', -29, -1],
    ['tells of an authentication 90 s ago, where 60 s are allowed,', 'auth_time', -90, -1],
  ])('an ID token that %s is the last that is accepted', async (_title, claim, last, step) => {
    stopClock();
    const signInAt = (seconds: number) => {
      const claims = { auth_time: noon, exp: noon + 300, [claim]: noon + seconds };
      return signIn({ nowMs: () => noon * 1000, claims, provider: { maxAgeSeconds: 60 } });
    };
    await expect(signInAt(last)).resolves.toBeDefined();
    const error = await signInAt(last + step).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'response-rejected' });
    expect(findFailedClaim(error)).toMatchObject({ claim });
  });

  test.each<[string, 'accepted' | 'rejected', kid: string | null, others: JWK[]]>([
    ['without a kid that is the only one', 'accepted', null, []],
    ['without a kid that is one of two', 'accepted', null, [anonymousKey.jwk]],
    ['beside unknown types', 'accepted', 'key-1', [{ kty: 'AKP', alg: 'ML-DSA-1' }, { kty: 'made-up' }]],
    ['beside one of another type, with one kid', 'accepted', 'same', [{ ...rsaKey.jwk, kid: 'same' }]],
  ])('a token of a key %s is %s', async (_title, expected, kid, others) => {
    const signingKey = await createSigningKey(kid);
    const signedIn = signIn({ signingKey, publishedKeys: () => [...others, signingKey.jwk] });
    if (expected === 'accepted') await expect(signedIn).resolves.toBeDefined();
    else await expect(signedIn).rejects.toMatchObject({ code: 'response-rejected' });
  });

  test.each([
    ['with an unknown kid', unknownKey],
    ['with a reused kid', otherKey],
    ['without a kid', anonymousKey],
  ])('a rotated key %s is found by fetching the keys once more', async (_title, signingKey) => {
    const old = await createSigningKey(signingKey.jwk.kid ?? null);
    let times = 0;
    const publishedKeys = () => [(times += 1) === 1 ? old.jwk : signingKey.jwk];
    await expect(signIn({ signingKey, publishedKeys })).resolves.toBeDefined();
    expect(times).toBe(2);
  });

  test.each([
    ['do not fit are asked for twice', 2, Response.json({ keys: [] }), 'response-rejected'],
    ['cannot be fetched are asked for once', 1, new Response('', { status: 503 }), 'provider-unreachable'],
  ])('keys that %s', async (_title, times, answer, code) => {
    const answers = { '/keys': vi.fn(() => answer.clone()) };
    await expect(signIn({ answers })).rejects.toMatchObject({ code });
    expect(answers['/keys']).toHaveBeenCalledTimes(times);
  });

  test('a rejection does not quote the token', async () => {
    const idToken = await signIdToken({ iss: 'https://evil.example', secret: 'x' });
    const refused = await signIn({ idToken: () => idToken }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ detail: expect.not.stringContaining(idToken.slice(0, 20)) });
  });
});

test('an at_hash means nothing where there is no access token', async () => {
  await expect(flows['in the redirect']?.({ claims: { at_hash: 'x' } })).resolves.toBeDefined();
});

test.each<[string, unknown]>([
  ['of another access token', leftHalfHash('access-2')],
  ['of full length', createHash('sha256').update('access-1').digest('base64url')],
  ['that is empty', ''],
  ['that is a number', 7],
])('an ID token with an at_hash %s is rejected', async (_title, at_hash) => {
  const error = await signInWithCode({ claims: { at_hash } }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'response-rejected' });
  expect(findFailedClaim(error)).toMatchObject({ claim: 'at_hash' });
});

test.each([
  ['ES256', 'sha256', 16],
  ['ES384', 'sha384', 24],
  ['Ed25519', 'sha512', 32],
  ['PS256', 'sha256', 16],
] as const)('at_hash uses the hash function of %s', async (alg, hash, half) => {
  const signingKey = await createSigningKey('alg-key', alg);
  const metadata = advertising(alg);
  const digest = createHash(hash).update('access-1').digest();
  const signIn = (bytes: Buffer) =>
    signInWithCode({ signingKey, metadata, claims: { at_hash: bytes.toString('base64url') } });
  await expect(signIn(digest.subarray(0, half))).resolves.toBeDefined();
  await expect(signIn(digest.subarray(half))).rejects.toMatchObject({ code: 'response-rejected' });
});

/** An ID token with a signature algorithm that no browser supports. */
const signUnsupported = (claims: Record<string, unknown>) =>
  [{ alg: 'ML-DSA-44' }, claims, '']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');

test.each<[string | RegExp, Script]>([
  ['ID token: an audience that is not in "trustedAudiences" [aud]', among(['client', 'another'])],
  ["ID token: another party's [azp]", { claims: { azp: 'another' } }],
  ['ID token: none of the authentication contexts asked for [acr]', { provider: { acrValues: 'gold' } }],
  ['ID token: issued too long ago [iat]', { claims: { iat: now() - 86_400 } }],
  ['ID token: issued in the future [iat]', { claims: { iat: now() + 86_400, exp: 4_000_000_000 } }],
  ['ID token: not a subject [sub]', { claims: { sub: 'zoë' } }],
  ['ID token: not of this access token [at_hash]', { claims: { at_hash: 'x' } }],
  ['ID token: another issuer [iss]', { claims: { iss: 'x' } }],
  ['ID token: "id_token" is missing', { token: { id_token: undefined } }],
  [
    'ID token: no hash is known for its algorithm [at_hash]',
    { metadata: advertising('ML-DSA-44'), idToken: (own) => signUnsupported({ ...own, at_hash: 'x' }) },
  ],
  [/^ID token: .*key/, { publishedKeys: () => [] }],
  [/^ID token: .*signature verification failed$/, { idToken: (claims) => signIdToken(claims, otherKey) }],
  [/^ID token: its key or its signature/, { idToken: async (own) => `${await signIdToken(own)}!` }],
])('a rejection says %s', async (detail, script) => {
  const expected = typeof detail === 'string' ? detail : (expect.stringMatching(detail) as string);
  await expect(signInWithCode(script)).rejects.toMatchObject({ detail: expected });
});

function leftHalfHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}
