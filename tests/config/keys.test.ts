import { expect, test } from 'vitest';
import { acme, problemsOf, withAcme, type Refusal } from '../support/samples.ts';

const secretRefusal =
  'refused: everyone who installs the extension could read it; ' +
  'register a public client (PKCE, no secret), remove this key, and rotate the secret at the provider';

test.for<Refusal>([
  // Authorization parameters
  [
    'parameters in a list',
    withAcme({ authorizationParameters: [] }),
    'providers[0].authorizationParameters: found an empty list; expected an object with a string for each parameter',
  ],
  [
    'parameters that are not strings',
    withAcme({ authorizationParameters: { hd: 5 } }),
    'providers[0].authorizationParameters.hd: found 5; expected a string',
  ],
  [
    'parameters with a space in their name',
    withAcme({ authorizationParameters: { 'a b': 'c' } }),
    'providers[0].authorizationParameters["a b"]: found "a b"; expected a name of letters, digits, ".", "_" and "-"',
  ],
  [
    'parameters that the extension sets itself',
    withAcme({
      authorizationParameters: {
        client_id: 'x',
        scope: 'x',
        resource: 'x',
        audience: 'x',
        state: 'x',
        prompt: 'x',
        login_hint: 'x',
        id_token_hint: 'x',
        max_age: 'x',
        request: 'x',
      },
    }),
    'providers[0].authorizationParameters.client_id: refused: set "clientId" of the provider instead',
    'providers[0].authorizationParameters.scope: refused: set "scope" of the provider instead',
    'providers[0].authorizationParameters.resource: refused: set "resource" of the provider instead',
    'providers[0].authorizationParameters.audience: refused: set "audience" of the provider instead',
    'providers[0].authorizationParameters.state: refused: the extension sets it for each sign-in',
    'providers[0].authorizationParameters.prompt: refused: set "signInPrompt" or "otherAccountPrompt" of the provider instead',
    'providers[0].authorizationParameters.login_hint: refused: the extension sets it to the person who was signed in',
    'providers[0].authorizationParameters.id_token_hint: refused: the extension sets it to the person who was signed in',
    'providers[0].authorizationParameters.max_age: refused: set "maxAgeSeconds" of the provider instead',
    'providers[0].authorizationParameters.request: refused: it would replace the request that the response is checked against',
  ],

  // Keys
  [
    'several misspelt keys at once',
    {
      providers: [{ ...acme, client_id: 'x', scopes: 'x', apiOrigin: [] }],
      persistance: 'device',
      provider: [],
    },
    'persistance: unknown key; did you mean "persistence"?',
    'provider: unknown key; did you mean "providers"?',
    'providers[0].client_id: unknown key; did you mean "clientId"?',
    'providers[0].scopes: unknown key; did you mean "scope"?',
    'providers[0].apiOrigin: unknown key; did you mean "apiOrigins"?',
  ],
  [
    'keys that resemble no known key',
    { providers: [acme], 'my theme': 'dark' },
    '["my theme"]: unknown key; expected one of "$schema", "providers", "persistence", "autoSignIn", "policyOrigins", "support", "privacyUrl", "popupHeader"',
  ],
  [
    'very long keys, and quotes only their beginning',
    { providers: [acme], ['k'.repeat(61)]: 1 },
    `${'k'.repeat(60)}: unknown key; expected one of "$schema", "providers", "persistence", "autoSignIn", "policyOrigins", "support", "privacyUrl", "popupHeader"`,
  ],
  [
    'claims named like special JavaScript properties',
    withAcme({ allowed: JSON.parse('{ "__proto__": ["x"], "constructor": ["x"], "prototype": ["x"] }') }),
    'providers[0].allowed.__proto__: not a claim name',
    'providers[0].allowed.constructor: not a claim name',
    'providers[0].allowed.prototype: not a claim name',
  ],
  [
    'client secrets in any place',
    {
      clientSecret: 'hunter2',
      providers: [
        {
          ...acme,
          client_secret: 'hunter2',
          privateKey: 'hunter2',
          metadata: { 'client-secret': 'hunter2' },
          authorizationParameters: { client_secret: 'hunter2', client_assertion: 'hunter2' },
        },
      ],
    },
    `clientSecret: ${secretRefusal}`,
    `providers[0].client_secret: ${secretRefusal}`,
    `providers[0].privateKey: ${secretRefusal}`,
    `providers[0].metadata["client-secret"]: ${secretRefusal}`,
    `providers[0].authorizationParameters.client_secret: ${secretRefusal}`,
    `providers[0].authorizationParameters.client_assertion: ${secretRefusal}`,
  ],
  [
    'keys named like special JavaScript properties',
    JSON.parse(
      `{ "providers": [${JSON.stringify({ ...acme, authorizationParameters: {} }).replace('{}', '{ "__proto__": "x", "constructor": "x" }')}], "__proto__": { "persistence": "browser" } }`,
    ),
    '__proto__: unknown key; expected one of "$schema", "providers", "persistence", "autoSignIn", "policyOrigins", "support", "privacyUrl", "popupHeader"',
    'providers[0].authorizationParameters.__proto__: not a parameter name',
    'providers[0].authorizationParameters.constructor: not a parameter name',
  ],
])('readConfig rejects %s', ([, json, ...lines]) => {
  const problems = problemsOf(json);
  expect(problems).toEqual(lines);
  expect(problems.join()).not.toContain('hunter2');
});
