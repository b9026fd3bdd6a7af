import { expect, test } from 'vitest';
import { readRelayConfig } from '../../../tools/relay/config.ts';
import { redirectUri } from '../../support/relay-scene.ts';

const provider = {
  id: 'acme-1',
  clientId: 'latchkey',
  tokenEndpoint: 'https://id.acme.example/token',
  redirectUris: [redirectUri],
};
const secret = 'a secret of acme';
const environment = { LATCHKEY_RELAY_SECRET_ACME_1: secret };

const withChange = (change: object) => ({ providers: [{ ...provider, ...change }] });

function mistakesIn(value: unknown, variables: Record<string, string> = environment): string {
  try {
    readRelayConfig(value, variables);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a configuration gets its defaults, and its secret from the environment', () => {
  const defaults = { revocationEndpoint: null, clientAuthentication: 'client_secret_basic' };
  const whole = { ...provider, clientSecret: secret, ...defaults };
  expect(readRelayConfig({ providers: [provider] }, environment)).toEqual({ providers: [whole] });
});

test.each(['localhost:4455', '127.0.0.1', '[::1]:80'])(
  'an endpoint on this computer may be http: %s',
  (host) => {
    expect(mistakesIn(withChange({ tokenEndpoint: `http://${host}/token` }))).toBe('');
  },
);

test('the shortest client ID and secret are accepted, and the other way to send them', () => {
  const other = withChange({ clientId: 'x', clientAuthentication: 'client_secret_post' });
  expect(mistakesIn(other, { LATCHKEY_RELAY_SECRET_ACME_1: '8 chars.' })).toBe('');
});

test.each([
  ['a text', 'x', 'configuration: '],
  ['no providers', {}, 'providers: missing'],
  ['an empty list', { providers: [] }, 'providers: expected at least one provider'],
  ['an unknown key', { providers: [provider], port: 1 }, 'port: unknown key'],
  ['a missing key', withChange({ clientId: undefined }), 'providers.0.clientId: missing'],
  ['a wrong id', withChange({ id: 'Acme' }), 'providers.0.id: expected 1 to 40 characters'],
  ['a wrong end of an id', withChange({ id: 'acme_' }), 'providers.0.id: expected 1 to 40 characters'],
  ['a space before a client ID', withChange({ clientId: ' x' }), 'clientId: expected the client ID, as'],
  ['no redirect URI', withChange({ redirectUris: [] }), 'redirectUris: expected at least one redirect URI'],
  ['a wrong redirect URI', withChange({ redirectUris: ['acme'] }), 'redirectUris.0: expected a redirect URI'],
  ['another authentication', withChange({ clientAuthentication: 'none' }), 'clientAuthentication: '],
  ['the same id twice', { providers: [provider, provider] }, 'providers: expected a different id for each'],
])('%s is named with its place', (_case, value, expected) => {
  expect(mistakesIn(value)).toContain(expected);
  expect(mistakesIn(value)).not.toContain('\n');
});

test.each([
  'http://id.acme.example',
  'http://localhost.evil.example',
  'https://a:b@id.acme.example',
  'https://a@id.acme.example',
  'https://:b@id.acme.example',
  ' https://id.acme.example',
  'https://id.acme.example/ a',
  'https://id.acme.example/#',
])('the endpoint "%s" is refused', (endpoint) => {
  expect(mistakesIn(withChange({ tokenEndpoint: endpoint }))).toContain('tokenEndpoint: expected a URL');
  expect(mistakesIn(withChange({ revocationEndpoint: endpoint }))).toContain('revocationEndpoint: expected');
});

test('a secret in the file is refused, and not quoted', () => {
  const mistakes = mistakesIn(withChange({ clientSecret: secret }));
  expect(mistakes).toMatch(/^providers\.0\.clientSecret: unknown key.*a secret comes from the environment$/);
  expect(mistakes).not.toContain(secret);
});

test.each([
  ['missing', undefined, 'LATCHKEY_RELAY_SECRET_ACME_1: not set; expected the client secret'],
  ['too short', 'short', 'LATCHKEY_RELAY_SECRET_ACME_1: expected the client secret, at least 8'],
  ['with a line break at its end', `${secret}\n`, 'LATCHKEY_RELAY_SECRET_ACME_1: expected the client secret'],
])('a secret that is %s is named by its variable, and not quoted', (_case, value, expected) => {
  const variables = value === undefined ? {} : { LATCHKEY_RELAY_SECRET_ACME_1: value };
  const mistakes = mistakesIn({ providers: [provider] }, variables);
  expect(mistakes).toContain(expected);
  if (value !== undefined) expect(mistakes).not.toContain(value);
});
