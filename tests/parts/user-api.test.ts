import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { maxBodyBytes } from '../../src/oidc/http.ts';
import { isTokenRefusal, readMember, readUser, requestUser } from '../../src/parts/oauth.ts';
import { fc } from '../support/property.ts';
import {
  createScriptedProvider,
  firstTokens,
  plainSettings,
  plainUser,
  type Answer,
} from '../support/scripted-provider.ts';

const { userApi } = plainSettings;
const refusing = (error: string) => new Response(null, { status: 401, headers: asks(error) });
const asks = (error: string) => ({ 'www-authenticate': `Bearer error="${error}"` });

function setUp(answer: Answer, change: Partial<Provider> = {}) {
  const settings = { ...plainSettings, ...change };
  const provider = createScriptedProvider({ provider: settings, answers: { '/user': answer } });
  return { provider, ask: () => requestUser(provider.client, firstTokens) };
}

describe('requestUser', () => {
  test('asks once, with the token, for JSON, without cookies, and returns the profile', async () => {
    const { provider, ask } = setUp(plainUser);
    expect((await ask()).profile).toEqual({
      providerId: 'scripted',
      subject: '1815',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      emailVerified: true,
      picture: 'https://pictures.example/ada.png',
    });
    expect(provider.paths()).toEqual(['/user']);
    expect(provider.requests[0]?.init).toMatchObject({ method: 'GET', credentials: 'omit' });
    expect(Object.fromEntries(provider.requests[0]?.headers ?? [])).toMatchObject({
      accept: 'application/json',
      authorization: 'Bearer access-0',
    });
  });

  test('sends the configured headers', async () => {
    const headers = { Accept: 'application/vnd.github+json', 'X-GitHub-Api-Version': '2022-11-28' };
    const { provider, ask } = setUp(plainUser, { userApi: { ...userApi, headers } });
    await ask();
    expect(Object.fromEntries(provider.requests[0]?.headers ?? [])).toMatchObject({
      accept: 'application/vnd.github+json',
      authorization: 'Bearer access-0',
      'x-github-api-version': '2022-11-28',
    });
  });

  test('is sent although the API has just asked to be left alone, because the token would be lost', async () => {
    const busy = new Response('', { status: 429, headers: { 'retry-after': '60' } });
    const answers = [busy, Response.json(plainUser)];
    const { ask } = setUp(() => answers.shift() ?? busy);
    await expect(ask()).rejects.toMatchObject({ code: 'provider-unreachable' });
    expect((await ask()).profile.subject).toBe('1815');
  });

  const status = (code: number, headers = {}) => Response.json({ message: 'no' }, { status: code, headers });
  const webPage = new Response('<html>', { headers: { 'content-type': 'text/html' } });
  // discover.test.ts has the other answers that are no JSON.
  test.each<[string, Answer, string]>([
    ['a 401', status(401), 'response-rejected'],
    ['a 403 with a challenge', status(403, asks('insufficient_scope')), 'provider-misconfigured'],
    ['a 404', status(404), 'provider-misconfigured'],
    ['a web page', webPage, 'provider-unreachable'],
    ['a 204', new Response(null, { status: 204 }), 'response-rejected'],
    ['null', Response.json(null), 'response-rejected'],
    ['a list', Response.json([plainUser]), 'response-rejected'],
    ['a text', Response.json('1815'), 'response-rejected'],
    ['an error with status 200', { ok: false, error: 'invalid_auth' }, 'response-rejected'],
    ['deeply nested JSON', new Response('['.repeat(maxBodyBytes - 1)), 'response-rejected'],
  ])('rejects %s', async (_title, answer, code) => {
    await expect(setUp(answer).ask()).rejects.toMatchObject({ name: 'ProblemError', code });
  });

  test.each<[string, unknown]>([
    ['that is missing', undefined],
    ['that is null', null],
    ['that is empty', ''],
    ['of spaces', '   '],
    ['that is true', true],
    ['that is a list', [1815]],
    ['with a fraction', 18.15],
    ['that is too large to be exact', 2 ** 53],
    ['with a line break', 'a\nb'],
    ['beyond ASCII', 'ädä'],
    ['of 256 characters', 'a'.repeat(256)],
  ])('rejects a subject %s', async (_title, id) => {
    await expect(setUp({ ...plainUser, id }).ask()).rejects.toMatchObject({ code: 'response-rejected' });
  });

  test('rejects a number that the provider wrote with too many digits, and would be that of several people', async () => {
    const { ask } = setUp(new Response('{"id": 9007199254740993}'));
    const detail = 'user API: the subject is neither a text nor an exact whole number';
    await expect(ask()).rejects.toMatchObject({ detail });
  });

  const ofMail = { email: ['Ada@Example.com'] };
  test.each<[string, Provider['allowed'], object, string | null, object?]>([
    ['a member that is allowed', { company: ['@acme'] }, { company: '@acme' }, null],
    ['no such member', { company: ['@acme'] }, {}, 'company'],
    ['a member within a member', { 'org.id': [7] }, { org: { id: 7 } }, null],
    ['its subject', { id: [1815] }, {}, null],
    ['a verified email', ofMail, {}, null],
    ['an email that a text calls verified', ofMail, { verified: 'true' }, null],
    ['an unverified email', ofMail, { verified: 'no' }, 'email'],
    ['a member named email that is not the one of the profile', ofMail, {}, 'email', { email: 'other' }],
    ['a member that every object has', { constructor: ['x'] }, {}, 'constructor'],
  ])('with "allowed" and %s', async (_title, allowed, members, excluded, paths) => {
    const asked = setUp({ ...plainUser, ...members }, { allowed, userApi: { ...userApi, ...paths } }).ask();
    if (excluded === null) expect((await asked).profile.subject).toBe('1815');
    else {
      const detail = expect.stringMatching(`^user API: "${excluded}" is`) as string;
      await expect(asked).rejects.toMatchObject({ code: 'not-permitted', detail });
    }
  });
});

test.each<[string, boolean, Answer]>([
  ['a 401', true, new Response(null, { status: 401 })],
  ['a 401 with a challenge', true, refusing('invalid_token')],
  ['a 401 that refuses the proof', false, refusing('invalid_dpop_proof')],
  ['a 401 that demands a nonce for the proof again', false, refusing('use_dpop_nonce')],
  ['a 401 that demands another authentication', false, refusing('insufficient_user_authentication')],
  ['a 403', false, new Response(null, { status: 403 })],
  ['a 500', false, new Response(null, { status: 500 })],
  ['an answer without a subject', false, {}],
])('%s refuses the token: %s', async (_title, isRefused, answer) => {
  const error: unknown = await setUp(answer)
    .ask()
    .catch((thrown: unknown) => thrown);
  expect(isTokenRefusal(error)).toBe(isRefused);
});

describe('readMember', () => {
  test.each<[string, unknown, unknown]>([
    ['id', { id: 7 }, 7],
    ['data.id', { data: { id: '7' } }, '7'],
    ['images.0.url', { images: [{ url: 'a' }, { url: 'b' }] }, 'a'],
    ['0', ['a'], 'a'],
    ['0', { 0: 'a' }, 'a'],
    ['images.length', { images: [1, 2] }, undefined],
    ['name.length', { name: 'Ada' }, undefined],
    ['constructor.name', {}, undefined],
    ['__proto__', {}, undefined],
    ['a.b', { a: null }, undefined],
    ['a.b', null, undefined],
  ])('at %s of %j finds %j', (path, json, found) => {
    expect(readMember(json, path)).toBe(found);
  });
});

test('whatever the user API answers, there is a subject of printable text or a problem', () => {
  const path = fc.stringMatching(/^[\w-]{1,8}(\.[\w-]{1,8}){0,3}$/);
  fc.assert(
    fc.property(fc.jsonValue(), path, fc.jsonValue(), (json, subject, id) => {
      for (const answer of [json, at(subject, id)]) {
        try {
          const claims = readUser({ ...userApi, subject }, answer);
          expect(claims.sub).toMatch(/^(?! *$)[\x20-\x7e]{1,255}$/);
          expect(claims.sub).toBe(String(readMember(answer, subject)));
        } catch (error) {
          expect(error).toMatchObject({ name: 'ProblemError', code: 'response-rejected' });
        }
      }
    }),
  );
});

/** JSON with a value at a path. */
function at(path: string, value: unknown): unknown {
  return path.split('.').reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value);
}
