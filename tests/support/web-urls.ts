// Arbitrary web addresses. Those of fast-check take a second to set up in each worker, for a table of all characters.

import { fc } from './property.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const plain = [...letters, ...letters.toUpperCase(), ..."0123456789-._~!$&'()*+,;=:@"];

/** A character of any script, percent-encoded. */
const encoded = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => encodeURIComponent(String.fromCodePoint(code)));

const textOf = (characters: readonly string[]) =>
  fc.string({
    unit: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...characters) },
      { weight: 1, arbitrary: encoded },
    ),
  });

const path = fc.array(textOf(plain)).map((segments) => segments.map((segment) => `/${segment}`).join(''));

/** A query without its question mark (RFC 3986, section 3.4). */
export const webQuery = textOf([...plain, '/', '?']);

/** An address with an origin and a path. */
export const webUrl = fc
  .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), path)
  .map(([scheme, authority, rest]) => `${scheme}://${authority}${rest}`);
