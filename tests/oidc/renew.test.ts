import { describe, expect, test, vi } from 'vitest';
import { findFailedClaim } from '../../src/oidc/problems.ts';
import type { Keys } from '../../src/oidc/discover.ts';
import { discover } from '../support/discover.ts';
import type { Provider } from '../../src/config/provider.ts';
import { type KeySource, toOriginalClaims, type OriginalClaims } from '../../src/oidc/id-token.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import { publishedKeys } from '../support/keys.ts';
import {
  createScriptedProvider,
  createSigningKey,
  firstTokens,
  issuer,
  signIdToken,
  type Answer,
  type Script,
  type ScriptedProvider,
} from '../support/scripted-provider.ts';
import { stopClock } from '../support/stop-clock.ts';

/** Renews a session of an older version unless `claims` are given. */
async function renewWith({ client }: ScriptedProvider, current?: Keys, claims: OriginalClaims | null = null) {
  const metadata = await discover(client);
  const published = publishedKeys(client, metadata);
  const keys: KeySource = async (wanted) => (wanted === 'cached' && current) || published(wanted);
  return renewTokens(client, metadata, keys, firstTokens, { subject: 'ada', claims });
}

const renew = (script: Script) => renewWith(createScriptedProvider(script));

const withoutIdToken = { id_token: undefined };
const stranger = await createSigningKey('key-1');
const json = (body: unknown, status = 400, headers = {}) => Response.json(body, { status, headers });
const basic = { 'www-authenticate': 'Basic realm="x"' };
const empty = (status: number, headers = {}) => new Response(null, { status, headers });
const webPage = (status: number) =>
  new Response('<html>', { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
const failing = () => Promise.reject(new TypeError('Failed to fetch'));
const renewedTokens = { accessToken: 'access-1', refreshToken: 'refresh-1' };
/** The renewed tokens, with the ID token of the sign-in. */
const withoutTheIdToken = { outcome: 'renewed', tokens: { ...renewedTokens, idToken: 'id-0' } };
/** The renewed tokens, with their own. */
const withAnIdToken = {
  outcome: 'renewed',
  tokens: { ...renewedTokens, idToken: expect.stringMatching(/^ey/) as string },
};

describe('renewTokens', () => {
  test('redeems the refresh token as a public client for the configured API, and replaces it', async () => {
    const resource = 'https://api.example';
    const provider = createScriptedProvider({ provider: { resource }, token: withoutIdToken });
    expect(await renewWith(provider)).toMatchObject(withoutTheIdToken);
    expect(Object.fromEntries(provider.requests.at(-1)?.parameters ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-0',
      client_id: 'client',
      resource,
    });
  });

  test('keeps a refresh token that the provider does not replace', async () => {
    const renewal = await renew({ token: { ...withoutIdToken, refresh_token: undefined } });
    expect(renewal).toMatchObject({ outcome: 'renewed', tokens: { refreshToken: 'refresh-0' } });
  });

  test.each<[string, Record<string, unknown>, string | null]>([
    ['the granted scope', { scope: 'openid notes' }, 'openid notes'],
    ['the granted scope without an ID token', { scope: 'openid notes', ...withoutIdToken }, 'openid notes'],
    ['nothing of a scope that the provider does not name', {}, null],
  ])('says %s', async (_title, token, grantedScope) => {
    expect(await renew({ token, claims: { nonce: undefined } })).toMatchObject({ grantedScope });
  });

  test('never prints the refresh token, whatever the provider quotes', async () => {
    const quoted = 'The token refresh-0 (cmVmcmVzaC0w) is unknown.';
    const answer = json({ error: 'refresh-0', error_description: quoted }, 400);
    const provider = createScriptedProvider({ answers: { '/token': answer } });
    const warn = vi.fn();
    Object.assign(provider.client.world, { warn });
    await renewWith(provider);
    expect(warn.mock.calls).toEqual([['renewal: the provider answered HTTP 400, …, … token … unknown']]);
  });

  const onlyTheRefreshToken = {
    outcome: 'refresh-token-only',
    tokens: { ...firstTokens, refreshToken: 'refresh-1' },
    problem: { code: 'provider-unreachable' },
  };

  test.each<[string, Record<string, unknown>, Partial<Provider>?]>([
    ['no access token', { access_token: null }],
    ['an access token that no header can hold', { access_token: 'a\nb' }],
    ['an unknown token type', { token_type: 'mac' }],
    ['a Bearer token where DPoP is required', {}, { dpop: 'required' }],
  ])(
    'keeps the refresh token of an answer with %s, and nothing else',
    async (_title, token, provider = {}) => {
      expect(await renew({ token, provider })).toMatchObject(onlyTheRefreshToken);
    },
  );

  test('keeps nothing of an answer that has no access token and is for another user', async () => {
    const provider = createScriptedProvider({ token: { access_token: null }, claims: { sub: 'eve' } });
    expect(await renewWith(provider)).toMatchObject({ outcome: 'rejected' });
    expect(provider.arrivals).toMatchObject([{ token: 'refresh-1', replaces: 'refresh-0', subject: 'eve' }]);
  });

  test('throws for an answer with neither an access token nor a refresh token', async () => {
    const renewed = renew({ token: { access_token: null, refresh_token: null } });
    await expect(renewed).rejects.toMatchObject({ code: 'response-rejected' });
  });

  const staffOnly = { allowed: { groups: ['staff'] } };
  test('ends the session of a user who is no longer allowed', async () => {
    const token = { refresh_token: undefined };
    const script = { provider: staffOnly, claims: { groups: ['guests'] }, token };
    const ended = { outcome: 'ended', problem: { code: 'not-permitted' } };
    expect(await renew(script)).toMatchObject(ended);
    expect(await renew({ ...script, answers: { '/keys': failing } })).toMatchObject(ended);
  });

  test('does not check who is allowed when the renewal brings no ID token', async () => {
    const script = { provider: staffOnly, token: withoutIdToken };
    await expect(renew(script)).resolves.toMatchObject({ outcome: 'renewed' });
  });

  // Further answers of dead tokens are in field/answers.ts.
  test.each<[string, Answer, status?: number]>([
    ['invalid_grant', json({ error: 'invalid_grant' })],
    ['access_denied', json({ error: 'access_denied' }, 401), 401],
    ['a challenge', empty(401, { 'www-authenticate': 'Bearer error="invalid_token"' }), 401],
    ['a 400 without a body', empty(400)],
    ['a 401 without a body', empty(401), 401],
    ['a 400 that is null', json(null)],
    ['an error that is a number', json({ error: 7 })],
    ['a code at a status of its own', json({ error: 'token_expired' }, 422), 422],
  ])('reports a refused refresh token for %s, with the status', async (_title, answer, status = 400) => {
    const detail = `renewal: HTTP ${status}`;
    expect(await renew({ answers: { '/token': answer } })).toMatchObject({
      outcome: 'refused',
      problem: { code: 'expired', detail, cause: expect.any(Error) as Error },
    });
  });

  test.each<[string, Answer, string, detail?: string]>([
    ['a proof refused', json({ error: 'invalid_dpop_proof' }), 'response-rejected'],
    ['that and a challenge', json({ error: 'invalid_dpop_proof' }, 401, basic), 'response-rejected'],
    ['temporarily_unavailable', json({ error: 'temporarily_unavailable' }), 'provider-unreachable'],
    ['a 403 without an error code', json({ message: 'origin' }, 403), 'provider-misconfigured', '(HTTP 403)'],
    ['a time to wait', json({ error: 'busy' }, 400, { 'retry-after': '9' }), 'provider-unreachable'],
    ['a limit with a 403', json({ error: 'rate_limit_exceeded' }, 403), 'provider-unreachable'],
    ['a 404', empty(404), 'provider-misconfigured'],
    ['a 405', empty(405), 'response-rejected'],
    ['a web page with a 400', webPage(400), 'provider-unreachable'],
    ['a network error', failing, 'provider-unreachable'],
  ])('leaves the session as it is for %s, and throws', async (_title, answer, code, said = '') => {
    const problem = { code, detail: expect.stringContaining(said) as string };
    await expect(renew({ answers: { '/token': answer } })).rejects.toMatchObject(problem);
  });
});

describe('a renewed ID token', () => {
  const alone = { audiences: ['client'], authorizedParty: null };
  const original: OriginalClaims = { ...alone, nonce: 'nonce-0', authTimeSeconds: null };
  const trusting = { trustedAudiences: 'any' } as const;
  const twoAudiences = { audiences: ['client', 'project'], authorizedParty: 'client' };

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
    ['the same nonce', {}, { nonce: 'nonce-0' }],
    ['the same auth_time', { authTimeSeconds: 7 }, { auth_time: 7 }],
    ['an auth_time of zero, as at the sign-in', { authTimeSeconds: 0 }, { auth_time: 0 }],
    ['no auth_time', { authTimeSeconds: 7 }, {}],
    ['an auth_time that the first did not have', {}, { auth_time: 7 }],
    ['an azp of null', {}, { azp: null }],
    ['an auth_time of null', { authTimeSeconds: 7 }, { auth_time: null }],
    ['the same auth_time as text', { authTimeSeconds: 7 }, { auth_time: '7' }],
    ['the same azp', { authorizedParty: 'client' }, { azp: 'client' }],
    ['the same audience as a list', {}, { aud: ['client'] }],
    ['the same audiences and another one', twoAudiences, { aud: ['project', 'x', 'client'], azp: 'client' }],
  ])('is kept with %s', async (_title, signedInWith, claims) => {
    expect(await renewAfter(signedInWith, claims)).toMatchObject(withAnIdToken);
  });

  // Each is one that has also expired, at a time when the keys cannot be fetched: neither makes up for the rest.
  test.each<[title: string, claims: Record<string, unknown>, detail: string]>([
    ['another subject', { sub: 'eve' }, 'ID token: another subject than at the sign-in [sub]'],
    ['another issuer', { iss: 'https://evil.example' }, 'ID token: another issuer [iss]'],
    ['another audience', { aud: 'another' }, 'ID token: not for this client [aud]'],
    ["another party's azp", { azp: 'another' }, "ID token: another party's [azp]"],
  ])(
    'is rejected with %s, expired or not, and so are the tokens beside it',
    async (_title, claims, detail) => {
      const [, claim] = /\[(\w+)\]$/.exec(detail) ?? [];
      const expired = { ...claims, exp: 1, iat: 1 };
      for (const renewal of [
        await renewAfter({}, claims),
        await renewAfter({}, expired, { '/keys': failing }),
      ]) {
        expect(renewal).toMatchObject({
          outcome: 'rejected',
          problem: { code: 'response-rejected', detail },
        });
        const problem = renewal.outcome === 'rejected' ? renewal.problem : null;
        expect(findFailedClaim(problem)).toMatchObject({ claim });
      }
    },
  );

  test('that the key with its ID has not signed is rejected', async () => {
    expect(await renew({ idToken: (claims) => signIdToken(claims, stranger) })).toMatchObject({
      outcome: 'rejected',
      problem: { code: 'response-rejected', detail: 'ID token: JWT signature verification failed' },
    });
  });

  test.each<[string, Partial<OriginalClaims>, Record<string, unknown>]>([
    ['another nonce', {}, { nonce: 'nonce-1' }],
    ['an azp that the first did not have', {}, { azp: 'client' }],
    ['no azp, though the first had one', { authorizedParty: 'client' }, {}],
    ['an audience less', twoAudiences, { azp: 'client' }],
    ['another audience beside ours', twoAudiences, { aud: ['client', 'x'], azp: 'client' }],
    ['further audiences and no azp', {}, { aud: ['client', 'x'] }],
    ['the hash of another access token', {}, { at_hash: 'x' }],
    ['no issue time', {}, { iat: undefined }],
  ])('with %s is not kept, though the tokens beside it are', async (_title, signedInWith, claims) => {
    expect(await renewAfter(signedInWith, claims)).toMatchObject(withoutTheIdToken);
  });

  const now = Math.floor(Date.now() / 1000);
  test.each<[string, Script]>([
    ['has expired', { claims: { exp: now - 3600 } }],
    ['is not valid yet', { claims: { nbf: now + 3600 } }],
    ['was issued long ago', { claims: { iat: now - 3600 } }],
    ['was issued in the future', { claims: { iat: now + 3600 } }],
    ['has an audience that is not trusted', { claims: { aud: ['client', 'another'], azp: 'client' } }],
    ['cannot be read', { idToken: () => 'x.y.z' }],
    ['is a number', { token: { id_token: 7 } }],
    ['is null', { token: { id_token: null } }],
    ['is empty', { token: { id_token: '' } }],
    ['cannot be verified, because its keys cannot be reached', { answers: { '/keys': failing } }],
    ['cannot be verified, because its keys are a web page', { answers: { '/keys': webPage(200) } }],
    ['cannot be verified, because its keys are no key set', { answers: { '/keys': { keys: 'x' } } }],
    // Dex publishes a new key at once, but key sets are cached for hours: https://github.com/dexidp/dex/issues/1547
    ['is signed by a key that is not published yet', { signingKey: stranger, publishedKeys: () => [] }],
  ])('that %s is not kept, though the tokens beside it are', async (_title, script) => {
    const claims = { nonce: undefined, ...script.claims };
    expect(await renew({ ...script, claims })).toMatchObject(withoutTheIdToken);
  });

  test.each<[string, object, object]>([
    ['expired 29 s ago is kept, because clocks differ', { exp: now - 29 }, withAnIdToken],
    ['expired 30 s ago is not kept', { exp: now - 30 }, withoutTheIdToken],
    ['becomes valid in 300 s is kept, because clocks differ', { nbf: now + 300 }, withAnIdToken],
    ['becomes valid in 301 s is not kept', { nbf: now + 301 }, withoutTheIdToken],
  ])('that %s', async (_title, claims, expected) => {
    stopClock();
    const script = { nowMs: () => now * 1000, claims: { nonce: undefined, ...claims } };
    expect(await renew(script)).toMatchObject(expected);
  });

  test('that needs new keys, which cannot be fetched, is not kept either', async () => {
    const signingKey = await createSigningKey('key-2');
    const provider = createScriptedProvider({ signingKey, answers: { '/keys': failing } });
    const renewal = await renewWith(provider, { keys: [stranger.jwk as Keys['keys'][number]] });
    expect(renewal).toMatchObject(withoutTheIdToken);
  });

  test('is not compared for a session that an older version stored', async () => {
    const renewal = await renew({ claims: { nonce: 'any', azp: 'client', auth_time: 7 } });
    expect(renewal).toMatchObject(withAnIdToken);
  });

  test('is compared with what the sign-in brought', async () => {
    const claims = { aud: ['client', 'project'], azp: 'client', auth_time: 7 };
    const { originalClaims } = await createScriptedProvider({ provider: trusting, claims }).signIn();
    expect(originalClaims).toEqual({
      audiences: ['client', 'project'],
      authorizedParty: 'client',
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
      authTimeSeconds: 7,
    });
    const claimsOf = { iss: issuer, aud: 'client', sub: 'ada', iat: 1, exp: 2, nonce: 'nonce-0' };
    expect(toOriginalClaims(claimsOf)).toEqual(original);
  });
});
