import { expect, test } from 'vitest';
import { parseUrl } from '../../src/session/parse-url.ts';

test('parseUrl parses a host in another script, also when it has run so often that the engine optimizes it', () => {
  const found = new Set(Array.from({ length: 20_000 }, () => parseUrl('https://bücher.example')?.hostname));
  expect([...found]).toEqual(['xn--bcher-kva.example']);
});

test.each(['', 'acme', '/path', 'https://', 'https://a b.example'])(
  'parseUrl returns null for %j',
  (text) => {
    expect(parseUrl(text)).toBeNull();
  },
);
