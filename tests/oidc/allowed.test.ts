// Rules about who may sign in: claims, the age of the authentication and its context.

import { expect, test } from 'vitest';
import { findFailedClaim } from '../../src/oidc/problems.ts';
import { createScriptedProvider, type Script } from '../support/scripted-provider.ts';

const signIn = (script: Script) => createScriptedProvider(script).signIn();

const allowing = (
  allowed: Record<string, (string | number | boolean)[]>,
  claims: Record<string, unknown>,
): Script => ({ provider: { allowed }, claims });

test.each<[string, Script]>([
  ['a claim equals one of the allowed values', allowing({ hd: ['a', 'b'] }, { hd: 'b' })],
  ['a list claim contains an allowed value', allowing({ groups: ['staff'] }, { groups: ['a', 'staff'] })],
  ['a claim is an allowed number', allowing({ level: [2, 3] }, { level: 3 })],
  ['every rule is met', allowing({ hd: ['a'], tid: ['b'] }, { hd: 'a', tid: 'b' })],
  ['the rule writes the verified email in another case', allowing({ email: ['Ada@Example.COM'] }, {})],
  ['the provider writes the email in another case', allowing({ email: ['ada@a.de'] }, { email: 'ADA@a.de' })],
  ['an email without a rule is not verified', allowing({ hd: ['a'] }, { hd: 'a', email_verified: false })],
])('a sign-in is allowed if %s', async (_title, script) => {
  await expect(signIn(script)).resolves.toMatchObject({ profile: { subject: 'ada' } });
});

test.each<[string, string, Script]>([
  ['a claim is missing', 'hd', allowing({ hd: ['acme.example'] }, {})],
  ['a claim only starts with an allowed value', 'hd', allowing({ hd: ['a.example'] }, { hd: 'a.example.b' })],
  ['a claim differs in case', 'hd', allowing({ hd: ['acme.example'] }, { hd: 'ACME.example' })],
  // The Kelvin sign becomes "k" in JavaScript's lower case.
  ['the email has a look-alike beyond ASCII', 'email', allowing({ email: ['k@a'] }, { email: '\u212A@a' })],
  ['a claim is null', 'hd', allowing({ hd: ['null'] }, { hd: null })],
  ['a claim is a string instead of a number', 'level', allowing({ level: [3] }, { level: '3' })],
  ['a claim is an object', 'hd', allowing({ hd: ['[object Object]'] }, { hd: {} })],
  ['a claim is an empty list', 'groups', allowing({ groups: ['staff'] }, { groups: [] })],
  ['a list claim is nested', 'groups', allowing({ groups: ['staff'] }, { groups: [['staff']] })],
  ['one of two rules is not met', 'tid', allowing({ hd: ['a'], tid: ['b'] }, { hd: 'a', tid: 'c' })],
  ['the rule names a built-in property', 'toString', allowing({ toString: ['x'] }, {})],
  ...[false, undefined, 'false', 'yes', 1].map((email_verified): [string, string, Script] => [
    `email_verified is ${JSON.stringify(email_verified)}`,
    'email',
    allowing({ email: ['ada@example.com'] }, { email_verified }),
  ]),
])(
  'a sign-in is rejected with the name of the claim, without its value, if %s',
  async (_title, claim, script) => {
    const provider = createScriptedProvider(script);
    const refused: unknown = await provider.signIn().catch((error: unknown) => error);
    const isUnverified = 'email_verified' in (script.claims ?? {});
    expect(refused).toMatchObject({
      code: 'not-permitted',
      detail: `ID token: "${claim}" is ${isUnverified ? 'not verified' : 'none of those allowed'}`,
    });
    expect(provider.arrivals).toMatchObject([{ token: 'refresh-1', subject: 'ada' }]);
  },
);

const ofContexts = (acrValues: string, acr: unknown): Script => ({
  provider: { acrValues },
  claims: { acr },
});

test('a user who authenticated with one of the accepted contexts may sign in', async () => {
  await expect(signIn(ofContexts('gold silver', 'silver'))).resolves.toBeDefined();
});

// The last second is in id-token.test.ts.
test.each<[title: string, script: Script, failed?: string]>([
  ['at an unknown time', { provider: { maxAgeSeconds: 60 } }, 'auth_time'],
  ['at no number', { provider: { maxAgeSeconds: 60 }, claims: { auth_time: 'now' } }, 'auth_time'],
  ['with another context', ofContexts('gold silver', 'bronze'), 'acr'],
  ['with both contexts in one value', ofContexts('gold silver', 'gold silver'), 'acr'],
  ['without a context', ofContexts('gold silver', undefined), 'acr'],
  ['with a list of contexts', ofContexts('gold', ['gold', 'silver']), 'acr'],
])('a user who authenticated %s is rejected', async (_title, script, failed) => {
  const refused: unknown = await signIn(script).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'response-rejected' });
  expect(findFailedClaim(refused)?.claim).toBe(failed);
});
