import { createHash } from 'node:crypto';
import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { findFailedClaim, type ClaimFailure } from '../../src/oidc/claim-error.ts';
import { checkIdToken } from '../../src/oidc/id-token.ts';
import type { SignedInTokens } from '../../src/oidc/redeem.ts';
import {
  createScriptedProvider,
  createSigningKey,
  issuer,
  signIdToken,
  type Script,
  type SigningKey,
} from '../support/scripted-provider.ts';

const now = () => Math.floor(Date.now() / 1000);
const signInWithCode = (script: Script) => createScriptedProvider(script).signIn();
/** The checks do not depend on the way of an ID token, but for `at_hash`: there is no access token beside it. */
const flows: Readonly<Record<string, (script: Script) => Promise<SignedInTokens>>> = {
  'from the token endpoint': signInWithCode,
  'in the redirect': (script) =>
    createScriptedProvider({
      ...script,
      provider: { ...script.provider, responseType: 'id_token' },
    }).signInWithIdToken(),
};

const rsaKey = await createSigningKey('rsa-1', 'RS256');
const otherKey = await createSigningKey('key-1');
const unknownKey = await createSigningKey('key-2');
const anonymousKey = await createSigningKey(null);
const hs256 = (claims: Record<string, unknown>) => {
  const secret = {
    privateKey: new TextEncoder().encode('client'.padEnd(32, '.')),
    jwk: { alg: 'HS256', kty: 'oct' },
  };
  return signIdToken(claims, secret as unknown as SigningKey);
};

test('a valid ID token signs the person in', async () => {
  await expect(signInWithCode({})).resolves.toMatchObject({
    profile: { subject: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', emailVerified: true },
    tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' },
  });
});

const noon = Date.parse('2026-11-21T12:00:00Z');
const verdict = (signedIn: Promise<unknown>) =>
  signedIn.then(
    () => 'accepted',
    () => 'rejected',
  );

describe.each(Object.entries(flows))('%s', (_way, signIn) => {
  test.each<[string, Script]>([
    ['RS256', { signingKey: rsaKey, metadata: { id_token_signing_alg_values_supported: ['RS256'] } }],
    ['an audience list with only this client', { claims: { aud: ['client'] } }],
    ['this client as authorized party', { claims: { azp: 'client' } }],
    [
      'a further audience that is trusted',
      {
        provider: { trustedAudiences: ['project', 'another'] },
        claims: { aud: ['another', 'client'], azp: 'client' },
      },
    ],
    [
      'further audiences where any is trusted',
      { provider: { trustedAudiences: 'any' }, claims: { aud: ['one', 'client', 'two'], azp: 'client' } },
    ],
    ['this client twice as audience', { claims: { aud: ['client', 'client'], azp: 'client' } }],
    ['an expiry within the tolerance', { claims: { exp: now() - 20 } }],
    ['a subject of 255 characters', { claims: { sub: 'x'.repeat(255) } }],
  ])('an ID token with %s is accepted', async (_title, script) => {
    await expect(signIn(script)).resolves.toBeDefined();
  });

  // oauth4webapi names no claim if one is missing or of the wrong type.
  test.each<[title: string, script: Script, failed?: [claim: string, reason: ClaimFailure]]>([
    ['no signature', { idToken: (claims) => new UnsecuredJWT(claims).encode() }],
    [
      'no signature from a provider that advertises alg none',
      {
        metadata: { id_token_signing_alg_values_supported: ['none'] },
        idToken: (claims) => new UnsecuredJWT(claims).encode(),
      },
    ],
    ['an HMAC with the client id as key', { idToken: hs256 }],
    [
      'an HMAC with the client id as key where HS256 is advertised',
      { metadata: { id_token_signing_alg_values_supported: ['HS256', 'ES256'] }, idToken: hs256 },
    ],
    ['a signature by another key with the same kid', { idToken: (claims) => signIdToken(claims, otherKey) }],
    [
      'an algorithm that is not advertised',
      { signingKey: rsaKey, metadata: { id_token_signing_alg_values_supported: ['ES256'] } },
    ],
    ['a key that is not published', { publishedKeys: () => [] }],
    [
      'an unknown critical header',
      { idToken: (claims) => signIdToken(claims, undefined, { crit: ['b64'], b64: true }) },
    ],
    ['an invalid key', { publishedKeys: () => [{ kty: 'EC', crv: 'P-256', x: '!', y: '' }] }],
    ['a malformed signature', { idToken: async (claims) => `${await signIdToken(claims)}!` }],
    [
      'a space in its signature',
      { idToken: async (claims) => `${(await signIdToken(claims)).replace(/.$/, ' $&')}` },
    ],
    ['a line break at its end', { idToken: async (claims) => `${await signIdToken(claims)}\n` }],
    ['changed claims', { idToken: async (claims) => tamper(await signIdToken(claims)) }],
    ['three words instead of a JWT', { idToken: () => 'not.a.token' }],
    ['no value at all', { token: { id_token: undefined } }],
    ['a number instead of a JWT', { token: { id_token: 7 } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }, ['iss', 'mismatch']],
    ['an issuer with a trailing slash', { claims: { iss: `${issuer}/` } }, ['iss', 'mismatch']],
    ['no issuer', { claims: { iss: undefined } }],
    ['another audience', { claims: { aud: 'another' } }, ['aud', 'mismatch']],
    ['a further audience', { claims: { aud: ['client', 'another'], azp: 'client' } }, ['aud', 'mismatch']],
    [
      'a further audience beside a trusted one',
      {
        provider: { trustedAudiences: ['project'] },
        claims: { aud: ['client', 'project', 'another'], azp: 'client' },
      },
      ['aud', 'mismatch'],
    ],
    [
      'a further audience where only one called "any" is trusted',
      { provider: { trustedAudiences: ['any'] }, claims: { aud: ['client', 'another'], azp: 'client' } },
      ['aud', 'mismatch'],
    ],
    ...(['any', ['project']] as const).flatMap(
      (trustedAudiences): [string, Script, [string, ClaimFailure]][] => {
        const title = `where ${JSON.stringify(trustedAudiences)} is trusted`;
        const claiming = (claims: Record<string, unknown>): Script => ({
          provider: { trustedAudiences },
          claims,
        });
        return [
          [
            `a further audience but no authorized party ${title}`,
            claiming({ aud: ['client', 'project'] }),
            ['aud', 'mismatch'],
          ],
          [
            `a further audience and another authorized party ${title}`,
            claiming({ aud: ['client', 'project'], azp: 'project' }),
            ['azp', 'mismatch'],
          ],
          [
            `other audiences alone ${title}`,
            claiming({ aud: ['project'], azp: 'client' }),
            ['aud', 'mismatch'],
          ],
          [
            `another audience as text ${title}`,
            claiming({ aud: 'project', azp: 'client' }),
            ['aud', 'mismatch'],
          ],
          [
            `an audience that is no text ${title}`,
            claiming({ aud: ['client', 7], azp: 'client' }),
            ['aud', 'mismatch'],
          ],
        ];
      },
    ),
    ['no audience', { claims: { aud: undefined } }],
    ['an audience that is a number', { claims: { aud: 7 } }],
    ['another authorized party', { claims: { azp: 'another' } }, ['azp', 'mismatch']],
    ['an expiry five minutes ago', { claims: { exp: now() - 300 } }, ['exp', 'expired']],
    ['an expiry just beyond the tolerance', { claims: { exp: now() - 32 } }, ['exp', 'expired']],
    ['no expiry', { claims: { exp: undefined } }],
    ['an expiry that is a string', { claims: { exp: 'tomorrow' } }],
    ['a not-before time in the future', { claims: { nbf: now() + 400 } }, ['nbf', 'in-future']],
    ['no issue time', { claims: { iat: undefined } }],
    ['an issue time last week', { claims: { iat: now() - 7 * 86_400 } }, ['iat', 'too-old']],
    ['an issue time in the future', { claims: { iat: now() + 400 } }, ['iat', 'in-future']],
    ['another nonce', { claims: { nonce: 'another' } }, ['nonce', 'mismatch']],
    ['no nonce', { claims: { nonce: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an empty subject', { claims: { sub: '' } }, ['sub', 'invalid']],
    ['a subject of 256 characters', { claims: { sub: 'x'.repeat(256) } }, ['sub', 'invalid']],
    ['a subject beyond ASCII', { claims: { sub: 'zoë' } }, ['sub', 'invalid']],
    ['a subject that is a number', { claims: { sub: 7 } }],
  ])('an ID token with %s is rejected', async (_title, script, failed) => {
    const error = await signIn(script).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'response-rejected' });
    const claim = findFailedClaim(error);
    expect(claim && [claim.claim, claim.reason]).toEqual(failed ?? null);
  });

  test.each([
    [-300, 'accepted'],
    [-301, 'rejected'],
    [600, 'accepted'],
    [601, 'rejected'],
  ])('an ID token that was issued %i s ago is %s', async (age, expected) => {
    const iat = noon / 1000 - age;
    const signedIn = signIn({ nowMs: () => noon, claims: { iat, exp: noon / 1000 + 300 } });
    expect(await verdict(signedIn)).toBe(expected);
  });

  test.each([
    [300, 'accepted'],
    [301, 'rejected'],
  ])('an ID token that becomes valid in %i s is %s', async (wait, expected) => {
    const claims = { nbf: noon / 1000 + wait };
    expect(await verdict(signIn({ nowMs: () => noon, claims }))).toBe(expected);
  });

  test.each([
    [29, 'accepted'],
    [30, 'rejected'],
  ])('an ID token that expired %i s ago is %s', async (age, expected) => {
    const claims = { exp: noon / 1000 - age };
    expect(await verdict(signIn({ nowMs: () => noon, claims }))).toBe(expected);
  });

  test.each([
    [90, 'accepted'],
    [91, 'rejected'],
  ])('an authentication %i s ago, where 60 s are allowed, is %s', async (age, expected) => {
    const claims = { auth_time: noon / 1000 - age };
    const provider = { maxAgeSeconds: 60 };
    expect(await verdict(signIn({ nowMs: () => noon, claims, provider }))).toBe(expected);
  });

  test('an ID token is checked by the clock of the provider', async () => {
    const wrongBy = 3 * 3600 * 1000;
    await expect(signIn({ nowMs: () => Date.now() - wrongBy })).resolves.toBeDefined();
  });

  test('a key without a kid is used if it is the only one', async () => {
    await expect(signIn({ signingKey: await createSigningKey(null) })).resolves.toBeDefined();
  });

  test('keys of unknown types are ignored', async () => {
    const signingKey = await createSigningKey();
    const publishedKeys = () => [
      { kty: 'AKP', alg: 'ML-DSA-1', kid: 'future' },
      { kty: 'made-up', kid: 'x' },
      signingKey.jwk,
    ];
    await expect(signIn({ signingKey, publishedKeys })).resolves.toBeDefined();
  });

  test('a token without a kid is rejected if several keys match', async () => {
    const signingKey = await createSigningKey(null);
    const another = await createSigningKey(null);
    const refused = signIn({ signingKey, publishedKeys: () => [signingKey.jwk, another.jwk] });
    await expect(refused).rejects.toMatchObject({ code: 'response-rejected' });
  });

  test('two keys with the same kid are distinguished by their type', async () => {
    const signingKey = await createSigningKey('same');
    const another = { ...rsaKey, jwk: { ...rsaKey.jwk, kid: 'same' } };
    await expect(
      signIn({ signingKey, publishedKeys: () => [another.jwk, signingKey.jwk] }),
    ).resolves.toBeDefined();
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

  test('the keys are fetched again only once', async () => {
    let times = 0;
    const refused = signIn({ publishedKeys: () => ((times += 1), []) });
    await expect(refused).rejects.toMatchObject({ code: 'response-rejected' });
    expect(times).toBe(2);
  });

  test('a rejection does not quote the token', async () => {
    const idToken = await signIdToken({ iss: 'https://evil.example', secret: 'x' });
    const refused = await signIn({ idToken: () => idToken }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ detail: expect.not.stringContaining(idToken.slice(0, 20)) });
  });
});

test('an ID token with the at_hash of its access token is accepted', async () => {
  await expect(signInWithCode({ claims: { at_hash: leftHalfHash('access-1') } })).resolves.toBeDefined();
});

test('an at_hash means nothing where there is no access token', async () => {
  const signedIn = flows['in the redirect']?.({ claims: { at_hash: leftHalfHash('access-1') } });
  await expect(signedIn).resolves.toBeDefined();
});

test.each<[string, Script]>([
  ['an at_hash of another access token', { claims: { at_hash: leftHalfHash('access-2') } }],
  [
    'an at_hash of full length',
    { claims: { at_hash: createHash('sha256').update('access-1').digest('base64url') } },
  ],
  ['an empty at_hash', { claims: { at_hash: '' } }],
  ['an at_hash that is a number', { claims: { at_hash: 7 } }],
])('an ID token with %s is rejected', async (_title, script) => {
  const error = await signInWithCode(script).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'response-rejected' });
  expect(findFailedClaim(error)).toMatchObject({ claim: 'at_hash', reason: 'mismatch' });
});

test.each([
  ['ES384', 'sha384', 24],
  ['Ed25519', 'sha512', 32],
  ['PS256', 'sha256', 16],
] as const)('at_hash uses the hash function of %s', async (alg, hash, half) => {
  const signingKey = await createSigningKey('alg-key', alg);
  const metadata = { id_token_signing_alg_values_supported: [alg] };
  const digest = createHash(hash).update('access-1').digest();
  const at_hash = digest.subarray(0, half).toString('base64url');
  await expect(signInWithCode({ signingKey, metadata, claims: { at_hash } })).resolves.toBeDefined();
  const wrong = digest.subarray(half).toString('base64url');
  const refused = signInWithCode({ signingKey, metadata, claims: { at_hash: wrong } });
  await expect(refused).rejects.toMatchObject({ code: 'response-rejected' });
});

test('a token response without an ID token is rejected', async () => {
  const { client } = createScriptedProvider();
  const refused = checkIdToken(client, { access_token: 'access-1', token_type: 'bearer' });
  await expect(refused).rejects.toMatchObject({ code: 'response-rejected', detail: 'ID token: missing' });
});

function leftHalfHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

function tamper(token: string): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'eve' })).toString('base64url');
  return [header, changed, signature].join('.');
}
