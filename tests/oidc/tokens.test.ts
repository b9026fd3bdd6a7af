import { describe, expect, test } from 'vitest';
import { isIncomplete, isStale, toProfile, toTokenSet } from '../../src/oidc/tokens.ts';
import { toAccountHint, toLoginHint } from '../../src/session/view.ts';
import { fc } from '../support/property.ts';
import { firstTokens } from '../support/scripted-provider.ts';

const minimal = { access_token: 'a', token_type: 'bearer' as const };

test.each([
  [undefined, 300],
  [0, 0],
  [300, 300],
  [0.5, 0.5],
  [1e12, 86_400],
])('toTokenSet treats a lifetime of %s s as %s s', (expires_in, seconds) => {
  const response = expires_in === undefined ? minimal : { ...minimal, expires_in };
  expect(toTokenSet(response, 1000).expiresAtMs).toBe(1000 + seconds * 1000);
});

test('toTokenSet keeps the tokens that a renewal does not return, and replaces the others', () => {
  const kept = { accessToken: 'a', refreshToken: 'refresh-0', idToken: 'id-0' };
  expect(toTokenSet(minimal, 0, firstTokens)).toMatchObject(kept);
  const renewed = toTokenSet({ ...minimal, refresh_token: 'refresh-2', id_token: 'id-2' }, 0, firstTokens);
  expect(renewed).toMatchObject({ refreshToken: 'refresh-2', idToken: 'id-2' });
});

test.each([
  [69_999, false],
  [70_000, true],
  [200_000, true],
  // The clock was set back by a day, and by a little more.
  [100_000 - 24 * 3_600_000, false],
  [99_999 - 24 * 3_600_000, true],
])('isStale for a token that expires at 100 s, at %i ms: %s', (nowMs, stale) => {
  expect(isStale(toTokenSet({ ...minimal, expires_in: 100 }, 0), nowMs)).toBe(stale);
});

const profile = (claims: Record<string, unknown>) =>
  toProfile({ id: 'demo', issuerTemplate: null }, { sub: 'ada', ...claims }, toTokenSet(minimal, 0));

test.each([
  [null, false],
  ['name', true],
  ['email', true],
  ['picture', true],
])('isIncomplete for a profile without %s returns %s', (missing, expected) => {
  const whole = { name: 'Ada', email: 'ada@example.com', picture: 'https://pictures.example/a.png' };
  expect(isIncomplete(profile({ ...whole, ...(missing !== null && { [missing]: null }) }))).toBe(expected);
});

describe('toProfile', () => {
  const contact = 'ada@contact.example';

  const work = 'ada@acme.example';

  test.each<[string, Record<string, unknown>, string | null | undefined, loginHint?: 'username']>([
    ['the claim for that', { login_hint: 'O.Ci', preferred_username: work }, 'O.Ci'],
    ['the user name', { preferred_username: work, upn: 'a@acme.example' }, work],
    ['the user principal name', { upn: 'a@acme.example' }, 'a@acme.example'],
    ['the e-mail address, if there is nothing else', {}, undefined],
    ['no one, where that may be for contact', {}, null, 'username'],
    ['the user name, where that may be for contact', { preferred_username: 'ada' }, 'ada', 'username'],
    ['no name that is no text', { login_hint: 7, preferred_username: ['ada'] }, undefined],
    ['no name of several lines', { preferred_username: 'ada\nlovelace' }, undefined],
    ['no name that is too long', { login_hint: 'a'.repeat(321) }, undefined],
    ['no token', { login_hint: 'AT.9f8e7d6c5b4a' }, undefined],
  ])('notes as the hint for a later sign-in %s', (_title, claims, expected, loginHint) => {
    const tokens = toTokenSet({ ...minimal, access_token: 'AT.9f8e7d6c5b4a' }, 0);
    const provider = { id: 'demo', issuerTemplate: null, ...(loginHint && { loginHint }) };
    const shown = toProfile(provider, { sub: 'ada', email: contact, ...claims }, tokens);
    expect(shown.loginHint).toBe(expected);
    expect(toLoginHint(shown)).toBe(expected === undefined ? contact : (expected ?? undefined));
    expect(toLoginHint(toAccountHint(shown))).toBe(toLoginHint(shown));
  });

  test.each([
    ['the access token', 'AT.9f8e7d6c5b4a'],
    ['the refresh token', 'RT.1a2b3c4d5e6f'],
    ['the ID token', 'eyJhbGciOi.eyJ.x'],
    ['a part of a token', '9f8e7d6c'],
  ])('leaves out what repeats %s', (_title, text) => {
    const [accessToken, refreshToken, idToken] = ['AT.9f8e7d6c5b4a', 'RT.1a2b3c4d5e6f', 'eyJhbGciOi.eyJ.x'];
    const claims = { sub: 'ada', name: text, email: text, picture: `https://a.example/${text}` };
    const picture = text === '9f8e7d6c' ? claims.picture : null;
    const shown = toProfile({ id: 'demo', issuerTemplate: null }, claims, {
      ...firstTokens,
      accessToken,
      refreshToken,
      idToken,
    });
    expect(shown).toMatchObject({ name: null, email: null, picture });
  });

  test.each([
    [{ name: 'Ada Lovelace', given_name: 'A' }, 'Ada Lovelace'],
    [{ given_name: 'Ada', family_name: 'Lovelace' }, 'Ada Lovelace'],
    [{ given_name: 'Ada' }, 'Ada'],
    [{ preferred_username: 'ada' }, 'ada'],
    [{}, null],
    [{ name: '  ' }, null],
    [{ name: 7 }, null],
    [{ name: 'Ada\n\u0000Love\u202elace' }, 'Ada Love lace'],
    [{ name: '𝒜'.repeat(300) }, '𝒜'.repeat(200)],
    // No more than 4,096 characters are read.
    [{ name: `Ada${'\n'.repeat(5_000)}Lovelace` }, 'Ada'],
    [{ name: '<img src=x>' }, '<img src=x>'],
  ])('takes the name from %j: %j', (claims, name) => {
    expect(profile(claims).name).toBe(name);
  });

  describe('takes a listed claim', () => {
    const take = (value: unknown, name = 'roles') =>
      toProfile(
        { id: 'demo', issuerTemplate: null, profileClaims: [name] },
        { sub: 'ada', ...Object.fromEntries([[name, value]]) },
        { ...firstTokens, accessToken: 'AT.9f8e7d6c5b4a' },
      ).claims;

    test.each<[string, unknown]>([
      ['a text', 'admin'],
      ['a list', ['admin', 7, true]],
      ['an empty list', []],
      ['a number', 7.5],
      ['false', false],
      ['a list as long as can be', Array.from({ length: 200 }, (_, at) => at)],
      ['a text as long as can be', 'ä'.repeat(400)],
    ])('that is %s', (_what, value) => expect(take(value)).toEqual({ roles: value }));

    test.each<[string, unknown]>([
      ['missing', undefined],
      ['null', null],
      ['an object', { admin: true }],
      ['a list with an object in it', ['admin', {}]],
      ['a list of lists', [['admin']]],
      ['a list that is too long', Array.from({ length: 201 }, () => 'a')],
      ['a text that is too long', 'a'.repeat(401)],
      ['more than pages read', Array.from({ length: 21 }, () => 'a'.repeat(400))],
      ['a text with a line break', ['admin\nroot']],
      ['a text that turns its direction', 'admin\u202e'],
      ['a number that was rounded', 2 ** 53],
      ['a token', ['AT.9f8e7d6c5b4a']],
    ])('not if it is %s, and no part of it', (_what, value) => expect(take(value)).toEqual({}));

    test('by its exact name, and of nothing that all objects have', () => {
      expect(take('pro', 'https://acme.example/plan')).toEqual({ 'https://acme.example/plan': 'pro' });
      expect(take(undefined, 'toString')).toEqual({});
      expect(profile({ roles: 'admin' })).not.toHaveProperty('claims');
    });

    test('as long as all claims together are not too much for a page', () => {
      const profileClaims = ['one', 'two', 'three'];
      const long = (items: number) => Array.from({ length: items }, () => 'a'.repeat(400));
      const claims = { sub: 'ada', one: long(10), two: long(10), three: 'fits' };
      const provider = { id: 'demo', issuerTemplate: null, profileClaims };
      expect(Object.keys(toProfile(provider, claims, firstTokens).claims ?? {})).toEqual(['one', 'three']);
    });
  });

  test.each([
    ['ada@example.com', true, true],
    ['ada@example.com', 'true', false],
    ['ada@example.com', 1, false],
    ['ada@example.com', undefined, false],
    [null, true, false],
  ])(
    'with the email %j and email_verified %j sets emailVerified to %s',
    (email, email_verified, emailVerified) => {
      expect(profile({ email, email_verified })).toMatchObject({ email, emailVerified });
    },
  );

  const longUrl = (length: number) => 'https://pictures.example/'.padEnd(length, 'a');
  test.each([
    ['https://pictures.example/a.png', 'https://pictures.example/a.png'],
    ['http://pictures.example/a.png', null],
    ['http://localhost:4455/a.png', 'http://localhost:4455/a.png'],
    ['http://[::1]:4455/a.png', 'http://[::1]:4455/a.png'],
    ['javascript:alert(1)', null],
    ['data:image/png;base64,AA', null],
    ['//pictures.example/a.png', null],
    // The browser would leave the line break out.
    ['https://pictures.example/a\n.png', 'https://pictures.example/a.png'],
    [longUrl(2048), longUrl(2048)],
    [longUrl(2049), null],
    // Percent-encoding makes six characters of each letter.
    [`https://pictures.example/${'ä'.repeat(400)}`, null],
    [7, null],
  ])('converts the picture %j to %j', (picture, expected) => {
    expect(profile({ picture }).picture).toBe(expected);
  });

  test('accepts any claims and returns single lines of bounded length', () => {
    const claims = fc.record(
      { name: fc.anything(), email: fc.anything(), picture: fc.anything(), given_name: fc.anything() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(claims, (found) => {
        const { name, email } = profile(found);
        for (const line of [name, email]) {
          expect(line ?? 'x').not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect((line ?? '').length).toBeLessThanOrEqual(640);
        }
      }),
    );
  });
});
