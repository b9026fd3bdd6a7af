import { describe, expect, test } from 'vitest';
import { findFailedClaim } from '../../src/oidc/claim-error.ts';
import { discover, requestKeys, type Keys } from '../../src/oidc/discover.ts';
import { findDroppedToken } from '../../src/oidc/dropped-token.ts';
import { revokeToken } from '../../src/oidc/end.ts';
import { toOriginalClaims, type OriginalClaims } from '../../src/oidc/original-claims.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import type { TokenSet } from '../../src/oidc/tokens.ts';
import { ProblemError } from '../../src/session/problem.ts';
import {
  createScriptedProvider,
  createSigningKey,
  issuer,
  type Answer,
  type Script,
  type ScriptedProvider,
} from '../support/scripted-provider.ts';

const tokens = {
  type: 'Bearer',
  accessToken: 'access-0',
  expiresAtMs: 0,
  refreshToken: 'refresh-0',
  idToken: 'id-0',
} as const satisfies TokenSet;

/** Renews a session of an older version unless `claims` are given. */
async function renewWith({ client }: ScriptedProvider, current?: Keys, claims: OriginalClaims | null = null) {
  const metadata = await discover(client);
  const refetch = () => requestKeys(client, metadata);
  const keys = { current: async () => current ?? refetch(), refetch };
  return renewTokens(client, metadata, keys, tokens, { subject: 'ada', claims });
}

const renew = (script: Script) => renewWith(createScriptedProvider(script));

const withoutIdToken = { id_token: undefined };
const stranger = await createSigningKey('key-1');
const json = (body: unknown, status = 400) => Response.json(body, { status });

describe('renewTokens', () => {
  test('redeems the refresh token as a public client, and replaces it', async () => {
    const provider = createScriptedProvider({ token: withoutIdToken });
    const renewal = await renewWith(provider);
    expect(Object.fromEntries(provider.requests.at(-1)?.parameters ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-0',
      client_id: 'client',
    });
    expect(renewal).toMatchObject({
      outcome: 'renewed',
      tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', idToken: 'id-0' },
    });
  });

  test('keeps a refresh token that the provider does not replace', async () => {
    const renewal = await renew({ token: { ...withoutIdToken, refresh_token: undefined } });
    expect(renewal).toMatchObject({ outcome: 'renewed', tokens: { refreshToken: 'refresh-0' } });
  });

  test('verifies and keeps a renewed ID token of the same person', async () => {
    const renewal = await renew({ claims: { nonce: undefined } });
    expect(renewal).toMatchObject({ outcome: 'renewed', tokens: { idToken: expect.stringMatching(/^ey/) } });
  });

  test('keeps a renewed ID token with a further audience that is trusted', async () => {
    const renewal = await renew({
      provider: { trustedAudiences: ['another'] },
      claims: { nonce: undefined, aud: ['client', 'another'], azp: 'client' },
    });
    expect(renewal).toMatchObject({ outcome: 'renewed', tokens: { idToken: expect.stringMatching(/^ey/) } });
  });

  test.each<[string, Script]>([
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'another' } }],
    ['a further audience', { claims: { aud: ['client', 'another'], azp: 'client' } }],
    [
      'a trusted audience but no authorized party',
      { provider: { trustedAudiences: 'any' }, claims: { aud: ['client', 'another'] } },
    ],
    ['another signature', { signingKey: stranger, publishedKeys: () => [] }],
    ['no issue time', { claims: { iat: undefined } }],
    ['no readable form', { idToken: () => 'x.y.z' }],
    ['a type other than text', { token: { id_token: 7 } }],
  ])(
    'rejects the tokens beside a renewed ID token with %s, and returns the refresh token',
    async (_title, script) => {
      expect(await renew(script)).toMatchObject({
        outcome: 'rejected',
        problem: { code: 'response-rejected' },
        dropped: { refreshToken: 'refresh-1' },
      });
    },
  );

  const now = Math.floor(Date.now() / 1000);
  test.each<[string, Record<string, unknown>]>([
    ['expired', { exp: now - 3600 }],
    ['is not valid yet', { nbf: now + 3600 }],
    ['was issued long ago', { iat: now - 3600 }],
    ['was issued in the future', { iat: now + 3600 }],
  ])('keeps the tokens beside a renewed ID token that %s, without it', async (_title, claims) => {
    expect(await renew({ claims: { nonce: undefined, ...claims } })).toMatchObject({
      outcome: 'renewed',
      tokens: { refreshToken: 'refresh-1', idToken: 'id-0' },
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['another audience', { aud: 'another' }],
    ["another party's azp", { azp: 'another' }],
    ['another person', { sub: 'eve' }],
  ])('does not keep the tokens beside an expired ID token with %s', async (_title, claims) => {
    expect(await renew({ claims: { ...claims, exp: 1, iat: 1 } })).toMatchObject({ outcome: 'rejected' });
  });

  test('treats an ID token that is null as none', async () => {
    expect(await renew({ token: { id_token: null } })).toMatchObject({
      outcome: 'renewed',
      tokens: { idToken: 'id-0' },
    });
  });

  test('finds the refresh token of an answer that is no token response', async () => {
    const error = await renew({ token: { access_token: undefined } }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'response-rejected' });
    expect(findDroppedToken(error)).toMatchObject({ refreshToken: 'refresh-1', subject: 'ada' });
  });

  const failing = () => Promise.reject(new TypeError('Failed to fetch'));
  const withoutKeys: [string, Answer][] = [
    ['cannot be reached', failing],
    ['answer with a 503', new Response('', { status: 503 })],
    ['are a web page', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['cannot be fetched offline', () => Promise.reject(new ProblemError('offline'))],
    ['time out', () => Promise.reject(new ProblemError('timed-out'))],
  ];

  test.each(withoutKeys)(
    'keeps a rotated refresh token without the ID token while the keys %s',
    async (_title, answer) => {
      const renewal = await renew({ claims: { nonce: undefined }, answers: { '/keys': answer } });
      expect(renewal).toMatchObject({
        outcome: 'renewed',
        tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', idToken: 'id-0' },
      });
    },
  );

  test('keeps a rotated refresh token when the keys have changed and the new ones cannot be fetched', async () => {
    const provider = createScriptedProvider({
      signingKey: await createSigningKey('key-2'),
      answers: { '/keys': failing },
    });
    const renewal = await renewWith(provider, { keys: [stranger.jwk as Keys['keys'][number]] });
    expect(renewal).toMatchObject({
      outcome: 'renewed',
      tokens: { refreshToken: 'refresh-1', idToken: 'id-0' },
    });
  });

  const withoutNetwork = (script: Script) => renew({ ...script, answers: { '/keys': failing } });

  test.each<[string, Script]>([
    ['another audience', { claims: { aud: 'another' } }],
    ['another person', { claims: { sub: 'eve' } }],
    ['the hash of another access token', { claims: { at_hash: 'x' } }],
  ])('rejects an ID token with %s even while the keys cannot be fetched', async (_title, script) => {
    expect(await withoutNetwork(script)).toMatchObject({
      outcome: 'rejected',
      problem: { code: 'response-rejected' },
    });
  });

  test('ends the session for an ID token of a person who is not allowed even while the keys cannot be fetched', async () => {
    const script: Script = { provider: { allowed: { hd: ['acme.example'] } } };
    expect(await withoutNetwork(script)).toMatchObject({
      outcome: 'ended',
      problem: { code: 'not-permitted' },
    });
  });

  test('verifies nothing with keys that are not a key set, and keeps the tokens without the ID token', async () => {
    const answers = { '/keys': Response.json({ keys: 'x' }) };
    expect(await renew({ answers })).toMatchObject({ outcome: 'renewed', tokens: { idToken: 'id-0' } });
  });

  test('rejects the tokens of another person, and returns their refresh token', async () => {
    expect(await renew({ claims: { sub: 'eve' } })).toMatchObject({
      outcome: 'rejected',
      problem: { code: 'response-rejected', detail: 'renewal: another subject [sub]' },
      dropped: { refreshToken: 'refresh-1', subject: 'eve' },
    });
  });

  test('names the subject that another person failed on', async () => {
    const renewal = await renew({ claims: { sub: 'eve' } });
    const problem = renewal.outcome === 'rejected' ? renewal.problem : null;
    expect(findFailedClaim(problem)).toMatchObject({ claim: 'sub', reason: 'mismatch' });
  });

  test('ends the session of a person who is no longer allowed', async () => {
    const provider = createScriptedProvider({
      provider: { allowed: { groups: ['staff'] } },
      claims: { groups: ['guests'] },
      token: { refresh_token: undefined },
    });
    expect(await renewWith(provider)).toMatchObject({
      outcome: 'ended',
      problem: { code: 'not-permitted' },
      dropped: null,
    });
  });

  test('does not check who is allowed when the renewal brings no ID token', async () => {
    const script = { provider: { allowed: { groups: ['staff'] } }, token: withoutIdToken };
    await expect(renew(script)).resolves.toMatchObject({ outcome: 'renewed' });
  });

  test.each<[string, Answer]>([
    ['invalid_grant', json({ error: 'invalid_grant' })],
    ['an error code of its own', json({ error: 'bad_refresh_token' })],
    ['an error of a silent request', json({ error: 'login_required' })],
    ['access_denied', json({ error: 'access_denied' }, 401)],
    [
      'a challenge',
      new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
    ],
    ['a 400 without a body', new Response(null, { status: 400 })],
    ['a 401 without a body', new Response(null, { status: 401 })],
    ['a 400 in plain text', new Response('Bad Request', { status: 400 })],
    ['a 400 with other JSON', json({ message: 'token is not active' })],
    ['a 400 that is null', json(null)],
    ['an error that is a number', json({ error: 7 })],
  ])('reports a refused refresh token for %s', async (_title, answer) => {
    expect(await renew({ answers: { '/token': answer } })).toMatchObject({
      outcome: 'refused',
      problem: { code: 'expired' },
    });
  });

  test.each<[string, Answer, string]>([
    ['invalid_request', json({ error: 'invalid_request' }), 'provider-misconfigured'],
    ['invalid_scope', json({ error: 'invalid_scope' }), 'provider-misconfigured'],
    ['unauthorized_client', json({ error: 'unauthorized_client' }, 401), 'provider-misconfigured'],
    [
      'invalid_client and a challenge',
      Response.json(
        { error: 'invalid_client' },
        { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } },
      ),
      'response-rejected',
    ],
    ['a proof refused', json({ error: 'invalid_dpop_proof' }), 'response-rejected'],
    ['temporarily_unavailable', json({ error: 'temporarily_unavailable' }), 'provider-unreachable'],
    ['a 403', json({ error: 'invalid_grant' }, 403), 'response-rejected'],
    ['a 404', new Response(null, { status: 404 }), 'provider-misconfigured'],
    ['a 405', new Response(null, { status: 405 }), 'response-rejected'],
    [
      'a web page with a 400',
      new Response('<html>', { status: 400, headers: { 'content-type': 'text/html; charset=utf-8' } }),
      'provider-unreachable',
    ],
    ['invalid_grant with a 500', json({ error: 'invalid_grant' }, 500), 'provider-unreachable'],
    ['invalid_client', json({ error: 'invalid_client' }, 401), 'provider-misconfigured'],
    ['a 503', new Response('', { status: 503 }), 'provider-unreachable'],
    ['too many requests', new Response('', { status: 429 }), 'provider-unreachable'],
    [
      'a web page',
      new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'provider-unreachable',
    ],
    ['a network error', () => Promise.reject(new TypeError('Failed to fetch')), 'provider-unreachable'],
  ])('leaves the session as it is for %s, and throws %s', async (_title, answer, code) => {
    await expect(renew({ answers: { '/token': answer } })).rejects.toMatchObject({ code });
  });

  test.each<[string, Answer, string]>([
    ['an error', json({ error: 'invalid_grant' }), 'renewal: HTTP 400'],
    ['an empty answer', new Response(null, { status: 401 }), 'renewal: HTTP 401'],
  ])('names the status of a refusal by %s, and keeps its cause', async (_title, answer, detail) => {
    expect(await renew({ answers: { '/token': answer } })).toMatchObject({
      outcome: 'refused',
      problem: { code: 'expired', detail, cause: expect.any(Error) },
    });
  });

  test('names the error of a wrong registration', async () => {
    const refused = renew({ answers: { '/token': json({ error: 'invalid_client' }, 401) } });
    await expect(refused).rejects.toMatchObject({ detail: 'renewal: invalid_client' });
  });
});

describe('a renewed ID token, beside the one of the sign-in', () => {
  const original: OriginalClaims = {
    audiences: ['client'],
    authorizedParty: null,
    nonce: 'nonce-0',
    authTimeSeconds: null,
  };
  const trusting = { trustedAudiences: 'any' } as const;

  /** Renews a session whose sign-in brought `signedInWith`, with an ID token that has `claims`. */
  const renewAfter = (
    signedInWith: Partial<OriginalClaims>,
    claims: Record<string, unknown>,
    answers: Record<string, Answer> = {},
  ) => {
    const script: Script = { provider: trusting, claims: { nonce: undefined, ...claims }, answers };
    return renewWith(createScriptedProvider(script), undefined, { ...original, ...signedInWith });
  };

  test.each<[string, Partial<OriginalClaims>, Record<string, unknown>]>([
    ['no nonce', {}, {}],
    ['the same nonce', {}, { nonce: 'nonce-0' }],
    ['the same auth_time', { authTimeSeconds: 7 }, { auth_time: 7 }],
    ['an auth_time of zero, as at the sign-in', { authTimeSeconds: 0 }, { auth_time: 0 }],
    ['no auth_time', { authTimeSeconds: 7 }, {}],
    ['an auth_time that the first did not have', {}, { auth_time: 7 }],
    ['the same azp', { authorizedParty: 'client' }, { azp: 'client' }],
    ['the same audience as a list', {}, { aud: ['client'] }],
    [
      'the same audiences in another order',
      { audiences: ['client', 'project'], authorizedParty: 'client' },
      { aud: ['project', 'client'], azp: 'client' },
    ],
    [
      'an audience that joined',
      { audiences: ['client', 'project'], authorizedParty: 'client' },
      { aud: ['client', 'project', 'another'], azp: 'client' },
    ],
  ])('is kept with %s', async (_title, signedInWith, claims) => {
    expect(await renewAfter(signedInWith, claims)).toMatchObject({
      outcome: 'renewed',
      tokens: { refreshToken: 'refresh-1', idToken: expect.stringMatching(/^ey/) },
    });
  });

  const others: [string, Partial<OriginalClaims>, Record<string, unknown>, claim: string][] = [
    ['another nonce', {}, { nonce: 'nonce-1' }, 'nonce'],
    ['an empty nonce', {}, { nonce: '' }, 'nonce'],
    ['a nonce of null', {}, { nonce: null }, 'nonce'],
    ['a nonce that is no text', {}, { nonce: ['nonce-0'] }, 'nonce'],
    ['an azp that the first did not have', {}, { azp: 'client' }, 'azp'],
    ['no azp, though the first had one', { authorizedParty: 'client' }, {}, 'azp'],
    [
      'an audience less',
      { audiences: ['client', 'project'], authorizedParty: 'client' },
      { azp: 'client' },
      'aud',
    ],
    [
      'another audience beside this client',
      { audiences: ['client', 'project'], authorizedParty: 'client' },
      { aud: ['client', 'another'], azp: 'client' },
      'aud',
    ],
  ];

  test.each(others)('is rejected with %s', async (_title, signedInWith, claims, claim) => {
    const renewal = await renewAfter(signedInWith, claims);
    expect(renewal).toMatchObject({
      outcome: 'rejected',
      problem: {
        code: 'response-rejected',
        detail: expect.stringContaining(`than at the sign-in [${claim}]`),
      },
      dropped: { refreshToken: 'refresh-1' },
    });
    const problem = renewal.outcome === 'rejected' ? renewal.problem : null;
    expect(findFailedClaim(problem)).toMatchObject({ claim, reason: 'mismatch' });
  });

  test.each(others)(
    'is rejected with %s even if it has expired and the keys cannot be fetched',
    async (_title, signedInWith, claims) => {
      const answers = { '/keys': () => Promise.reject(new TypeError('Failed to fetch')) };
      const renewal = await renewAfter(signedInWith, { ...claims, exp: 1, iat: 1 }, answers);
      expect(renewal).toMatchObject({ outcome: 'rejected' });
    },
  );

  // Azure AD B2C sends the time of the renewal, and Cognito that of a later sign-in.
  test('with another auth_time is not kept, though the tokens beside it are', async () => {
    expect(await renewAfter({ authTimeSeconds: 7 }, { auth_time: 8 })).toMatchObject({
      outcome: 'renewed',
      tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', idToken: 'id-0' },
    });
  });

  test('with an auth_time that is no number is rejected', async () => {
    expect(await renewAfter({ authTimeSeconds: 7 }, { auth_time: '7' })).toMatchObject({
      outcome: 'rejected',
    });
  });

  test('is not compared for a session that an older version stored', async () => {
    const provider = createScriptedProvider({ claims: { nonce: 'any', azp: 'client', auth_time: 7 } });
    expect(await renewWith(provider)).toMatchObject({
      outcome: 'renewed',
      tokens: { idToken: expect.stringMatching(/^ey/) },
    });
  });

  test('is compared with what the sign-in brought', async () => {
    const claims = { aud: ['client', 'project'], azp: 'client', auth_time: 7 };
    const scripted = createScriptedProvider({ provider: trusting, claims });
    const { request } = await scripted.authorize();
    const { originalClaims } = await scripted.signIn();
    expect(originalClaims).toEqual({
      audiences: ['client', 'project'],
      authorizedParty: 'client',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      authTimeSeconds: 7,
    });
    expect(originalClaims.nonce).not.toBe(request.nonce);
    expect(toOriginalClaims({ iss: issuer, aud: 'client', sub: 'ada', iat: 1, exp: 2 }, 'nonce-0')).toEqual(
      original,
    );
  });
});

describe('revokeToken', () => {
  async function revoke(script: Script) {
    const provider = createScriptedProvider(script);
    await revokeToken(provider.client, await discover(provider.client), 'refresh-0');
    return provider;
  }

  test('sends the token and its type, as a public client', async () => {
    const provider = await revoke({});
    expect(Object.fromEntries(provider.requests.at(-1)?.parameters ?? [])).toEqual({
      token: 'refresh-0',
      token_type_hint: 'refresh_token',
      client_id: 'client',
    });
  });

  test('sends nothing to a provider without a revocation endpoint', async () => {
    const provider = await revoke({ metadata: { revocation_endpoint: undefined } });
    expect(provider.paths()).not.toContain('/revoke');
  });

  test.each<[string, Answer, string]>([
    ['a 503', new Response('', { status: 503 }), 'provider-unreachable'],
    ['unsupported_token_type', json({ error: 'unsupported_token_type' }), 'response-rejected'],
  ])('throws for a revocation that is answered with %s', async (_title, answer, code) => {
    await expect(revoke({ answers: { '/revoke': answer } })).rejects.toMatchObject({ code });
  });

  test('names the error by which the provider refuses a revocation', async () => {
    const refused = revoke({ answers: { '/revoke': json({ error: 'unsupported_token_type' }) } });
    await expect(refused).rejects.toMatchObject({ detail: 'revocation: unsupported_token_type' });
  });
});
