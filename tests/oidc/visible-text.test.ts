import { expect, test } from 'vitest';
import { toVisibleText } from '../../src/oidc/why.ts';
import { fc, manyRuns } from '../support/property.ts';

test.each([
  ['', ''],
  ['Sign in', 'Sign in'],
  ['<p>Client <b>not</b> found</p>', ' Client  not  found '],
  ['<a href="?redirect_uri=x">Deutsch</a>', ' Deutsch '],
  ['<script>let client_id;</script>Forbidden', ' Forbidden'],
  ['<SCRIPT type="x">a < b</ScRipt >b</script>c', ' c'],
  ['<style>p > a { }</style>x', ' x'],
  ['<script>a</style>b', ' a b'],
  ['<scripture>a</script>b', ' a b'],
  ['<script', '<script'],
  ['a < b', 'a < b'],
  ['a << b > c', 'a   c'],
  ['\u0130<b>x', '\u0130 x'],
])('toVisibleText of %j is %j', (html, text) => {
  expect(toVisibleText(html)).toBe(text);
});

/** The same result, by one expression whose time grows with the square of the length. */
const reference = (html: string) => html.replace(/<(script|style)\b.*?<\/\1>|<[^>]*>/gis, ' ');

const parts = [...'<> _\na', '</', '<script', '<style', '</script>', '</STYLE>', '<ScRiPt>'];
const html = fc
  .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 3 })), { maxLength: 12 })
  .map((found) => found.join(''));

test('toVisibleText returns for any page what its definition says', () =>
  fc.assert(
    fc.property(html, (page) => {
      expect(toVisibleText(page)).toBe(reference(page));
    }),
    { numRuns: manyRuns },
  ));
