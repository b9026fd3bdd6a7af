import { expect, test } from 'vitest';
import { isLoopbackUrl, isSecureUrl, parseUrl } from '../../src/session/secure-url.ts';

test.for([
  ['https://id.acme.example/x', true, false],
  ['https://[::1]/x', true, true],
  ['http://localhost:4455', true, true],
  ['http://127.0.0.1/x', true, true],
  ['http://[0:0:0:0:0:0:0:1]/x', true, true],
  ['http://id.acme.example', false, false],
  ['http://localhost.acme.example', false, false],
  ['http://127.0.0.1.acme.example', false, false],
  ['http://[::2]/x', false, false],
  ['ftp://localhost', false, true],
  ['/x', false, false],
] as const)('%s is secure: %s, and of this computer: %s', ([text, secure, loopback]) => {
  expect([isSecureUrl(text), isLoopbackUrl(text)]).toEqual([secure, loopback]);
});

test('parseUrl parses a host in another script, also when it has run so often that the engine optimizes it', () => {
  const found = new Set(Array.from({ length: 20_000 }, () => parseUrl('https://bücher.example')?.hostname));
  expect([...found]).toEqual(['xn--bcher-kva.example']);
});

test.each(['', 'acme', '/path', 'https://', 'https://a b.example'])('parseUrl of %j is null', (text) => {
  expect(parseUrl(text)).toBeNull();
});
