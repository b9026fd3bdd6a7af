// Who is let in: by `allowed`, by the age of the sign-in, and by its strength.

import { expect, test } from 'vitest';
import { createScriptedProvider, type Script } from '../support/scripted-provider.ts';

const signIn = (script: Script) => createScriptedProvider(script).signIn();
const now = () => Math.floor(Date.now() / 1000);

const allowing = (
  allowed: Record<string, (string | number | boolean)[]>,
  claims: Record<string, unknown>,
): Script => ({ provider: { allowed }, claims });

test.each<[string, Script]>([
  ['nothing is asked', allowing({}, {})],
  ['a claim is the one value', allowing({ hd: ['acme.example'] }, { hd: 'acme.example' })],
  ['a claim is one of the values', allowing({ hd: ['a.example', 'b.example'] }, { hd: 'b.example' })],
  ['a claim is a list that contains one', allowing({ groups: ['staff'] }, { groups: ['a', 'staff'] })],
  ['a claim is a number', allowing({ level: [2, 3] }, { level: 3 })],
  ['every claim fits', allowing({ hd: ['a'], tid: ['b'] }, { hd: 'a', tid: 'b' })],
  ['an e-mail is verified', allowing({ email: ['ada@example.com'] }, {})],
  [
    'nobody asks for an e-mail',
    allowing({ hd: ['acme.example'] }, { hd: 'acme.example', email_verified: false }),
  ],
])('a person is let in when %s', async (_title, script) => {
  await expect(signIn(script)).resolves.toMatchObject({ profile: { subject: 'ada' } });
});

test.each<[string, string, Script]>([
  ['a claim is missing', 'hd', allowing({ hd: ['acme.example'] }, {})],
  ['a claim is another', 'hd', allowing({ hd: ['acme.example'] }, { hd: 'evil.example' })],
  ['a claim only begins alike', 'hd', allowing({ hd: ['acme.example'] }, { hd: 'acme.example.evil' })],
  ['a claim is in other letters', 'hd', allowing({ hd: ['acme.example'] }, { hd: 'ACME.example' })],
  ['a claim is null', 'hd', allowing({ hd: ['null'] }, { hd: null })],
  ['a claim is a number as text', 'level', allowing({ level: [3] }, { level: '3' })],
  ['a claim is an object', 'hd', allowing({ hd: ['[object Object]'] }, { hd: {} })],
  ['a claim is an empty list', 'groups', allowing({ groups: ['staff'] }, { groups: [] })],
  ['a claim is a list of others', 'groups', allowing({ groups: ['staff'] }, { groups: ['guests'] })],
  ['a claim is a list in a list', 'groups', allowing({ groups: ['staff'] }, { groups: [['staff']] })],
  ['one of the claims does not fit', 'tid', allowing({ hd: ['a'], tid: ['b'] }, { hd: 'a', tid: 'c' })],
  ['every object has such a claim', 'toString', allowing({ toString: ['x'] }, {})],
  ...[false, undefined, 'true', 1].map((email_verified): [string, string, Script] => [
    `an e-mail is verified by ${JSON.stringify(email_verified)}`,
    'email',
    allowing({ email: ['ada@example.com'] }, { email_verified }),
  ]),
])('nobody is let in when %s, and the claim is named without its value', async (_title, claim, script) => {
  const refused = await signIn(script).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'not-permitted', detail: expect.stringContaining(`"${claim}"`) });
  const [found] = [script.claims?.[claim]].flat();
  if (typeof found === 'string') expect(refused).not.toHaveProperty('detail', expect.stringContaining(found));
});

test('the tokens of a person who is not let in are revoked, and nobody waits for it', async () => {
  const provider = createScriptedProvider({
    ...allowing({ hd: ['acme.example'] }, {}),
    answers: { '/revoke': () => new Promise<Response>(() => undefined) },
  });
  await expect(provider.signIn()).rejects.toMatchObject({ code: 'not-permitted' });
  await expect.poll(() => provider.paths().at(-1)).toBe('/revoke');
  expect(provider.requests.at(-1)?.parameters.get('token')).toBe('refresh-1');
});

test('a revocation that fails changes nothing', async () => {
  const provider = createScriptedProvider({
    ...allowing({ hd: ['acme.example'] }, {}),
    answers: { '/revoke': () => Promise.reject(new TypeError('Failed to fetch')) },
  });
  await expect(provider.signIn()).rejects.toMatchObject({ code: 'not-permitted' });
});

test('the age and the strength of the sign-in are asked for', async () => {
  const { authorize } = createScriptedProvider({ provider: { maxAgeSeconds: 0, acrValues: 'gold silver' } });
  const { searchParams } = new URL((await authorize()).request.url);
  expect(searchParams.get('max_age')).toBe('0');
  expect(searchParams.get('acr_values')).toBe('gold silver');
});

test.each<[string, Script]>([
  ['at its time', { provider: { maxAgeSeconds: 60 }, claims: { auth_time: now() - 50 } }],
  ['within the tolerance', { provider: { maxAgeSeconds: 60 }, claims: { auth_time: now() - 80 } }],
  ['just now', { provider: { maxAgeSeconds: 0 }, claims: { auth_time: now() } }],
  ['by one of the contexts', { provider: { acrValues: 'gold silver' }, claims: { acr: 'silver' } }],
])('a person who signed in %s is let in', async (_title, script) => {
  await expect(signIn(script)).resolves.toBeDefined();
});

test.each<[string, Script]>([
  ['too long ago', { provider: { maxAgeSeconds: 60 }, claims: { auth_time: now() - 100 } }],
  ['at an unknown time', { provider: { maxAgeSeconds: 60 } }],
  ['at a time in words', { provider: { maxAgeSeconds: 60 }, claims: { auth_time: 'now' } }],
  ['by another context', { provider: { acrValues: 'gold silver' }, claims: { acr: 'bronze' } }],
  ['by both contexts as one', { provider: { acrValues: 'gold silver' }, claims: { acr: 'gold silver' } }],
  ['by an unknown context', { provider: { acrValues: 'gold silver' } }],
  ['by a list of contexts', { provider: { acrValues: 'gold' }, claims: { acr: ['gold'] } }],
])('a person who signed in %s is rejected', async (_title, script) => {
  await expect(signIn(script)).rejects.toMatchObject({ code: 'response-rejected' });
});
