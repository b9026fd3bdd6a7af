import { expect, test } from 'vitest';
import { isSecureUrl } from '../../src/session/secure-url.ts';

test.for([
  ['https://id.acme.example/x', true],
  ['https://[::1]/x', true],
  ['http://localhost:4455', true],
  ['http://127.0.0.1/x', true],
  ['http://[::1]:4455/x', true],
  ['http://[0:0:0:0:0:0:0:1]/x', true],
  ['http://id.acme.example', false],
  ['http://localhost.acme.example', false],
  ['http://127.0.0.1.acme.example', false],
  ['http://[::2]/x', false],
  ['ftp://localhost', false],
  ['ws://localhost', false],
  ['/x', false],
] as const)('isSecureUrl of %s returns %s', ([text, secure]) => {
  expect(isSecureUrl(text)).toBe(secure);
});
