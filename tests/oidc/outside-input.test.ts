// What holds for everything that comes from outside, honest or not: it is taken or refused with a problem that has a
// name, nothing else is ever thrown, and nothing that was changed on its way signs anybody in.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findExclusion } from '../../src/oidc/allowed.ts';
import { readAuthorizationResponse } from '../../src/oidc/authorize.ts';
import { discover, readKeys, readMetadata, requestKeys } from '../../src/oidc/discover.ts';
import { readEndSessionResponse } from '../../src/oidc/end.ts';
import { requestUserInfo } from '../../src/oidc/redeem.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { propertyRuns } from '../support/property-runs.ts';
import {
  createScriptedProvider,
  createSigningKey,
  issuer,
  provider as configured,
  redirectUri,
  signIdToken,
  type Script,
} from '../support/scripted-provider.ts';

/** What comes of `run`, or the problem with which it was refused. An `unexpected` is none: nobody had thought of it. */
async function judge<T>(run: () => Promise<T> | T): Promise<T | ProblemError> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'unexpected') throw error;
    return error;
  }
}

const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, holds), propertyRuns);

const anything = fc.oneof(fc.jsonValue(), fc.webUrl(), fc.string());

/** `honest` with one member, of `names` or of any name, that is something else. */
const withOneChange = (honest: object, names = Object.keys(honest)) =>
  fc
    .tuple(fc.oneof(fc.constantFrom(...names), fc.string()), anything)
    .map(([name, value]): Record<string, unknown> => ({ ...honest, [name]: value }));

/** A text with one character replaced, taken out or put in. */
const withOneMistake = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.string({ maxLength: 1 }), fc.boolean())
    .map(([at, sign, replaces]) => text.slice(0, at) + sign + text.slice(replaces ? at + 1 : at))
    .filter((changed) => changed !== text);

const { client, authorize } = createScriptedProvider();
const metadata = await discover(client);
const { request, responseUrl } = await authorize();

test('a redirect is refused, or is ours to the letter with our state', () =>
  check(
    fc.oneof(
      withOneMistake(responseUrl),
      fc.string(),
      fc.webUrl({ withQueryParameters: true }),
      fc.webQueryParameters().map((query) => `${redirectUri}?${query}`),
      fc.string().map((query) => `${responseUrl}&${query}`),
    ),
    async (url) => {
      const read = await judge(() => readAuthorizationResponse(client, metadata, request, url));
      if (read instanceof ProblemError) return;
      expect(url.startsWith(`${redirectUri}?`)).toBe(true);
      expect(read.getAll('state')).toEqual([request.state]);
      expect(read.getAll('iss')).toEqual([issuer]);
      expect(read.getAll('code')).toHaveLength(1);
    },
  ));

test('the end of a session is confirmed by our state alone', () =>
  check(
    fc.oneof(withOneMistake(`${redirectUri}?state=${request.state}`), fc.string(), fc.webUrl()),
    async (url) => {
      const read = readEndSessionResponse(request, redirectUri, url);
      if (read === 'confirmed') expect(new URL(url).searchParams.getAll('state')).toEqual([request.state]);
    },
  ));

test('metadata is refused, or is of our issuer and its hosts, with public-key algorithms', () =>
  check(fc.oneof(anything, withOneChange(metadata)), async (found) => {
    const read = await judge(() => readMetadata(found, configured));
    if (read instanceof ProblemError) return;
    expect(read.issuer).toBe(issuer);
    for (const [name, value] of Object.entries(read)) {
      if (/^(token|userinfo|revocation|pushed).*_endpoint$|^jwks_uri$/.test(name))
        expect(new URL(String(value)).origin).toBe(issuer);
      if (name.endsWith('_endpoint'))
        expect(String(value)).toMatch(/^(https|http:\/\/(localhost|127\.0\.0\.1)\b)/i);
    }
    expect(read.id_token_signing_alg_values_supported.join()).not.toMatch(/none\b|\bHS/i);
  }));

test('metadata of any bytes is refused', () =>
  check(fc.uint8Array(), async (bytes) => {
    const answers = { '/.well-known/openid-configuration': new Response(Buffer.from(bytes)) };
    const found = await judge(() => discover(createScriptedProvider({ answers }).client));
    expect(found).toBeInstanceOf(ProblemError);
  }));

test('keys are refused, or are a list of keys', () =>
  check(fc.oneof(anything, fc.record({ keys: anything })), async (found) => {
    const read = await judge(() => readKeys(found));
    if (!(read instanceof ProblemError))
      for (const key of read.keys) expect(key.kty).toEqual(expect.any(String));
  }));

const key = await createSigningKey();

test('a key that is changed verifies nothing', () =>
  check(
    fc
      .constantFrom('x', 'y', 'crv', 'kty')
      .chain((name) =>
        anything
          .filter((value) => value !== key.jwk[name])
          .map((value): Record<string, unknown> => ({ ...key.jwk, [name]: value })),
      ),
    async (jwk) => {
      const script: Script = { signingKey: key, publishedKeys: () => [jwk as typeof key.jwk] };
      expect(await judge(() => createScriptedProvider(script).signIn())).toBeInstanceOf(ProblemError);
    },
  ));

const signIn = (script: Script) => judge(() => createScriptedProvider(script).signIn());

test('a token answer is refused, or signs in who the ID token says', () =>
  check(
    withOneChange({}, ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'])
      // oauth4webapi makes a text of a lifetime that is no number, and of this one there is none.
      .filter(({ expires_in }) => !JSON.stringify(expires_in ?? null).includes('"toString"')),
    async (token) => {
      const signedIn = await signIn({ token });
      if (signedIn instanceof ProblemError) return;
      const { tokens, profile } = signedIn;
      expect(profile.subject).toBe('ada');
      expect(tokens.accessToken).toEqual(expect.stringMatching(/./));
      expect(tokens.expiresAtMs).toEqual(expect.any(Number));
      expect(Number.isFinite(tokens.expiresAtMs)).toBe(true);
    },
  ));

test('a token answer of any bytes, with any status and challenge, is refused', () =>
  check(
    fc.record({
      body: fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => new TextEncoder().encode(text)),
      ),
      status: fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status)),
      challenge: fc.stringMatching(/^[ -~]{0,40}$/),
      type: fc.constantFrom('application/json', 'text/html', 'text/plain', ''),
    }),
    async ({ body, status, challenge, type }) => {
      const headers = { 'content-type': type, 'www-authenticate': challenge };
      const script = { answers: { '/token': new Response(Buffer.from(body), { status, headers }) } };
      expect(await signIn(script)).toBeInstanceOf(ProblemError);
      const { client } = createScriptedProvider(script);
      const ask = () => requestKeys(client, metadata);
      const tokens = { accessToken: 'a', expiresAtMs: 0, refreshToken: 'r', idToken: null };
      const renewed = await judge(() =>
        renewTokens(client, metadata, { current: ask, refetch: ask }, tokens, 'ada'),
      );
      if (renewed instanceof ProblemError) return;
      expect(renewed.outcome).toBe('refused');
      expect([400, 401]).toContain(status);
    },
  ));

test('an ID token in which one character is another signs nobody in', () =>
  check(fc.tuple(fc.nat(), fc.constantFrom(...'AZaz09-_.!')), async ([pick, sign]) => {
    const change = (token: string) => {
      const at = pick % token.length;
      return token.slice(0, at) + sign + token.slice(at + 1);
    };
    let isSame = false;
    const signedIn = await signIn({
      idToken: async (claims) => {
        const token = await signIdToken(claims);
        // The last character of a signature holds bits that mean nothing.
        isSame =
          signatureOf(change(token)).equals(signatureOf(token)) &&
          withoutSignature(change(token)) === withoutSignature(token);
        return change(token);
      },
    });
    if (!isSame) expect(signedIn).toBeInstanceOf(ProblemError);
  }));

const signatureOf = (token: string) => Buffer.from(token.slice(token.lastIndexOf('.') + 1), 'base64url');
const withoutSignature = (token: string) => token.slice(0, token.lastIndexOf('.'));

test.each<[string, (value: unknown) => boolean]>([
  ['iss', (value) => value === issuer],
  ['aud', (value) => JSON.stringify([value].flat()) === '["client"]'],
  ['azp', (value) => value === 'client'],
  ['sub', (value) => typeof value === 'string' && /^[ -~]{1,255}$/.test(value)],
  ['exp', (value) => typeof value === 'number'],
  ['iat', (value) => typeof value === 'number' && Math.abs(value - Date.now() / 1000) < 600],
  ['nbf', (value) => typeof value === 'number'],
  ['nonce', () => false],
  ['at_hash', () => false],
])('an ID token whose %s is anything else signs nobody in', (claim, isHonest) =>
  check(
    anything.filter((value) => !isHonest(value)),
    async (value) => {
      expect(await signIn({ claims: { [claim]: value } })).toBeInstanceOf(ProblemError);
    },
  ),
);

test('whatever else an ID token says, its subject is signed in under one line of a name', () =>
  check(
    fc.dictionary(
      fc.oneof(
        fc.constantFrom('name', 'email', 'picture', 'given_name', 'email_verified'),
        fc.stringMatching(/^x\w*$/),
      ),
      anything,
    ),
    async (claims) => {
      const signedIn = await signIn({ claims });
      if (signedIn instanceof ProblemError) throw signedIn;
      expect(signedIn.profile.subject).toBe('ada');
      expect(signedIn.profile.name ?? '').not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    },
  ));

test('UserInfo is refused, or is of the same person and changes nothing that is known', () =>
  check(fc.oneof(anything, withOneChange({ sub: 'ada', name: 'Eve' })), async (userInfo) => {
    const { client } = createScriptedProvider({ answers: { '/userinfo': Response.json(userInfo) } });
    const tokens = { accessToken: 'a', expiresAtMs: 0, refreshToken: null, idToken: null };
    const claims = { sub: 'ada', name: 'Ada Lovelace' };
    const profile = await judge(() => requestUserInfo(client, metadata, tokens, claims));
    if (!(profile instanceof ProblemError))
      expect(profile).toMatchObject({ subject: 'ada', name: 'Ada Lovelace' });
  }));

test('who is let in can be judged by any claims', () =>
  check(fc.tuple(fc.dictionary(fc.string(), anything), fc.string()), async ([claims, name]) => {
    const provider = { ...configured, allowed: { [name]: ['a value that no claim has'] } };
    expect(findExclusion(provider, { ...claims, sub: 'ada' })).toMatchObject({ code: 'not-permitted' });
  }));
