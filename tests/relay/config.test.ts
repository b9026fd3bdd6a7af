import { expect, test } from 'vitest';
import { readRelayConfig, RelayConfigError, toSecretVariable } from '../../src/relay/config.ts';
import { redirectUri } from '../support/relay-scene.ts';

const provider = {
  id: 'acme-1',
  clientId: 'latchkey',
  tokenEndpoint: 'https://id.acme.example/token',
  redirectUris: [redirectUri],
};
const secret = 'a secret of acme';
const environment = { LATCHKEY_RELAY_SECRET_ACME_1: secret };

function mistakesIn(value: unknown, variables: Record<string, string> = environment): readonly string[] {
  try {
    readRelayConfig(value, variables);
  } catch (error) {
    if (error instanceof RelayConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('a configuration gets its defaults, and its secret from the environment', () => {
  expect(toSecretVariable('acme-1')).toBe('LATCHKEY_RELAY_SECRET_ACME_1');
  expect(readRelayConfig({ providers: [provider] }, environment)).toEqual({
    providers: [
      {
        ...provider,
        clientSecret: secret,
        revocationEndpoint: null,
        clientAuthentication: 'client_secret_basic',
      },
    ],
  });
});

test.each(['localhost:4455', '127.0.0.1', '[::1]:80'])(
  'an endpoint on this computer may be http: %s',
  (host) => {
    const local = { ...provider, tokenEndpoint: `http://${host}/token` };
    expect(mistakesIn({ providers: [local] })).toEqual([]);
  },
);

test('the shortest client ID and secret are accepted, and the other way to send them', () => {
  const other = { ...provider, clientId: 'x', clientAuthentication: 'client_secret_post' };
  expect(mistakesIn({ providers: [other] }, { LATCHKEY_RELAY_SECRET_ACME_1: '8 chars.' })).toEqual([]);
});

test.each([
  ['a text', 'x', /^configuration: expected an object with "providers"/],
  ['no providers', {}, /^providers: missing/],
  ['an empty list', { providers: [] }, /^providers: expected a list of providers, at least one/],
  ['an unknown key', { providers: [provider], port: 1 }, /^port: unknown key/],
  [
    'a missing key',
    { providers: [{ ...provider, clientId: undefined }] },
    /^providers\[0\]\.clientId: missing/,
  ],
  ['a wrong id', { providers: [{ ...provider, id: 'Acme' }] }, /^providers\[0\]\.id: expected 1 to 40/],
  [
    'http beyond this computer',
    { providers: [{ ...provider, tokenEndpoint: 'http://id.acme.example' }] },
    /^providers\[0\]\.tokenEndpoint: expected a URL with "https:"/,
  ],
  [
    'a host that only looks local',
    { providers: [{ ...provider, tokenEndpoint: 'http://localhost.evil.example' }] },
    /tokenEndpoint/,
  ],
  [
    'a user name in a URL',
    { providers: [{ ...provider, tokenEndpoint: 'https://a:b@id.acme.example' }] },
    /tokenEndpoint/,
  ],
  [
    'a user name alone',
    { providers: [{ ...provider, tokenEndpoint: 'https://a@id.acme.example' }] },
    /tokenEndpoint/,
  ],
  [
    'a password alone',
    { providers: [{ ...provider, tokenEndpoint: 'https://:b@id.acme.example' }] },
    /tokenEndpoint/,
  ],
  [
    'a space before a URL',
    { providers: [{ ...provider, tokenEndpoint: ' https://id.acme.example' }] },
    /tokenEndpoint/,
  ],
  [
    'a space in a URL',
    { providers: [{ ...provider, tokenEndpoint: 'https://id.acme.example/ a' }] },
    /tokenEndpoint: expected a URL/,
  ],
  ['an id that ends otherwise', { providers: [{ ...provider, id: 'acme_' }] }, /\.id: expected 1 to 40/],
  [
    'a space before a client ID',
    { providers: [{ ...provider, clientId: ' x' }] },
    /\.clientId: expected the client ID, as/,
  ],
  ['a provider that is a text', { providers: ['acme'] }, /^providers\[0\]: expected a provider object with/],
  [
    'a fragment',
    { providers: [{ ...provider, revocationEndpoint: 'https://id.acme.example/#' }] },
    /revocationEndpoint/,
  ],
  [
    'no redirect URI',
    { providers: [{ ...provider, redirectUris: [] }] },
    /redirectUris: expected a list of redirect URIs/,
  ],
  [
    'a redirect URI that is none',
    { providers: [{ ...provider, redirectUris: ['acme'] }] },
    /redirectUris\[0\]: expected a whole/,
  ],
  [
    'another authentication',
    { providers: [{ ...provider, clientAuthentication: 'none' }] },
    /expected "client_secret_basic" or/,
  ],
  ['the same id twice', { providers: [provider, provider] }, /^providers\[1\]\.id: "acme-1" is used twice/],
])('%s is named with its place', (_case, value, expected) => {
  expect(mistakesIn(value)).toEqual([expect.stringMatching(expected)]);
});

test('a secret in the file is refused, and not quoted', () => {
  const mistakes = mistakesIn({ providers: [{ ...provider, clientSecret: secret }] });
  expect(mistakes).toEqual([
    expect.stringMatching(/^providers\[0\]\.clientSecret: a secret does not belong in a file/),
  ]);
  expect(mistakes.join()).not.toContain(secret);
});

test.each([
  ['missing', undefined, /^LATCHKEY_RELAY_SECRET_ACME_1: not set/],
  ['empty', '', /: not set/],
  ['too short', 'short', /: expected the whole secret/],
  ['with a line break at its end', `${secret}\n`, /: expected the whole secret/],
])('a secret that is %s is named by its variable, and not quoted', (_case, value, expected) => {
  const mistakes = mistakesIn(
    { providers: [provider] },
    value === undefined ? {} : { LATCHKEY_RELAY_SECRET_ACME_1: value },
  );
  expect(mistakes).toEqual([expect.stringMatching(expected)]);
  if (value) expect(mistakes.join()).not.toContain(value);
});
