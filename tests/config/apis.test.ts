import { expect, test } from 'vitest';
import { acme, problemsOf, readConfig } from '../support/samples.ts';

const pay = { name: 'Acme Payments', origins: ['https://pay.acme.example'], resource: 'urn:pay' };

test('an API is named by its scope, its resource or its audience, and the others are null', () => {
  const mail = { origins: ['https://mail.acme.example'], scope: 'mail' };
  const chat = { origins: ['https://chat.acme.example'], audience: 'chat' };
  expect(readConfig({ providers: [{ ...acme, apis: [pay, mail, chat] }] }).providers[0]?.apis).toEqual([
    { ...pay, scope: null, audience: null },
    { ...mail, name: null, resource: null, audience: null },
    { ...chat, name: null, scope: null, resource: null },
  ]);
});

test.each<[string, object, string]>([
  [
    'an unknown key',
    { apis: [{ ...pay, resources: 'urn:pay' }] },
    'apis[0].resources: unknown key; did you mean "resource"?',
  ],
  [
    'no origins',
    { apis: [{ resource: 'urn:pay' }] },
    'apis[0].origins: missing; expected a list of 1 to 20 origins, such as ["https://api.example.com"]',
  ],
  [
    'nothing that says what the token is for',
    { apis: [{ origins: pay.origins }] },
    'apis[0]: expected "scope", "resource" or "audience", which says what the token is for; an API that takes the token of the sign-in belongs in "apiOrigins"',
  ],
  [
    'an origin of another API',
    { apis: [pay, { ...pay, resource: 'urn:mail' }] },
    'apis[1].origins[0]: found "https://pay.acme.example"; expected an origin of one API, but apis[0] lists it too',
  ],
  [
    'an origin of the token of the sign-in',
    { apiOrigins: pay.origins, apis: [pay] },
    'apis[0].origins[0]: found "https://pay.acme.example"; expected an origin of one API, but "apiOrigins" lists it too',
  ],
  [
    'a scope with two spaces',
    { apis: [{ ...pay, scope: 'read  write' }] },
    'apis[0].scope: found "read  write"; expected scopes separated by single spaces',
  ],
  [
    'a sign-in without access tokens',
    { responseType: 'id_token', apis: [{ origins: pay.origins }] },
    'apis: refused beside "responseType" "id_token", which brings no access token; list the origins in "apiOrigins"',
  ],
])('an API with %s is refused', (_title, settings, problem) => {
  expect(problemsOf({ providers: [{ ...acme, ...settings }] })).toEqual([`providers[0].${problem}`]);
});
