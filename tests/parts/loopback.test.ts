import { expect, test } from 'vitest';
import { toSignInUri } from '../../src/parts/loopback.ts';

const hash = 'bae1b49efb3234f3878b25c10c1f5eced9e067f6';
const own = `https://${hash}.extensions.allizom.org/acme`;

test('the redirect URI of a sign-in in Firefox is on this device if the provider is set so', () => {
  expect(toSignInUri(own, { firefoxRedirect: 'loopback' })).toBe(`http://127.0.0.1/mozoauth2/${hash}/acme`);
});

test.each<[string, string, 'loopback' | 'extensions.allizom.org']>([
  ['of another provider', own, 'extensions.allizom.org'],
  ['in Chromium', 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/acme', 'loopback'],
  ['at a host that only looks like it', own.replace('.org/', '.org.example/'), 'loopback'],
  ['below another host', own.replace('://', '://evil.example/https://'), 'loopback'],
  ['whose host is no hash', `https://id.extensions.allizom.org/acme`, 'loopback'],
])('the redirect URI %s stays as it is', (_title, uri, firefoxRedirect) => {
  expect(toSignInUri(uri, { firefoxRedirect })).toBe(uri);
});
