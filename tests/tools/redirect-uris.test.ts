import { expect, test } from 'vitest';
import { describeRedirectUris, redirectUris, storeIds } from '../../tools/redirect-uris.ts';

/** An extension whose ids a browser has shown. */
const extension = {
  key: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAl2ngjIulsJNxd46bXpaPC29NVkou8g+dJp3Rxjvch/GdX9G4WQasMoawM5f2ENecIJRaIDCT9tJRJfF95DR7cS809Os4jH37RqDHA8VPzjXRv5Da8dBCGdFQ5mO3F4/pB4I/pO4EGJ87ds+6Fu7wBdk0mVQ1uEZrkB9LGxZRmKXjzKhSkuy0nLMvtVYNXldpl3wSs1D1RfqwOVqVv/EsxyzhcGG73qiMOry7YYq/OZtbEq5fCFVDZRYMjPzK07ORIpDji28gOLOZDBmQDuBrjhRshR0gHS+k2bK1w/aWDQP7gqZiN5FuakSKPW5SQUwAsx4WCqQtFY2DNlqsYrfHCQIDAQAB',
  browser_specific_settings: { gecko: { id: 'latchkey@latchkey.example' } },
};

const chrome = 'https://mccmlgehmoicaeilcpoogfaohefhnoia.chromiumapp.org';
const firefox = 'https://bae1b49efb3234f3878b25c10c1f5eced9e067f6.extensions.allizom.org';
const both = ['chrome', 'firefox'] as const;
const demo = { id: 'demo', firefoxRedirect: 'extensions.allizom.org' } as const;

test('redirectUris returns the URIs that the browsers give to the extension with this key and this id', () => {
  expect(redirectUris(extension, 'demo')).toEqual({
    chrome: `${chrome}/demo`,
    firefox: `${firefox}/demo`,
  });
});

test('redirectUris and describeRedirectUris give the loopback form for Firefox alone, with the same hash and the provider', () => {
  const uris = {
    chrome: `${chrome}/demo`,
    firefox: 'http://127.0.0.1/mozoauth2/bae1b49efb3234f3878b25c10c1f5eced9e067f6/demo',
  };
  expect(redirectUris(extension, 'demo', 'loopback')).toEqual(uris);
  const described = describeRedirectUris(extension, [{ ...demo, firefoxRedirect: 'loopback' }], both);
  expect(described.slice(1)).toEqual([`  Chrome, Edge: ${uris.chrome}`, `  Firefox:      ${uris.firefox}`]);
});

test('redirectUris says what is missing without a key, because the id then follows from the folder', () => {
  const { key: _key, ...keyless } = extension;
  expect(() => redirectUris(keyless, 'demo')).toThrow('manifest.json: expected "key"');
  expect(describeRedirectUris(keyless, [demo], both).slice(1)).toEqual([
    '  Chrome, Edge: unknown, because manifest.json has no "key"',
    `  Firefox:      ${firefox}/demo`,
  ]);
});

test('describeRedirectUris gives one line for each provider and browser, and says which builds it is about', () => {
  expect(describeRedirectUris(extension, [demo, { ...demo, id: 'acme' }], both)).toEqual([
    'Redirect URIs to register with the providers, for unpacked builds:',
    `  Chrome, Edge: ${chrome}/demo`,
    `  Firefox:      ${firefox}/demo`,
    `  Chrome, Edge: ${chrome}/acme`,
    `  Firefox:      ${firefox}/acme`,
  ]);
});

test.each(['Chrome Web Store', 'Edge Add-ons', 'Firefox Add-ons'])(
  'the explanation of the ids names where that of %s comes from',
  (store) => expect(storeIds).toMatch(new RegExp(`^  ${store}  +[A-Z]`, 'm')),
);
