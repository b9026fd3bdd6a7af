import { expect, test } from 'vitest';
import { describeInvisible, quoteVisibly } from '../../src/config/visible.ts';

test.each([
  ['plain English', 'Acme Sign-in'],
  ['French with a no-break space', 'Acme\u00a0: connexion'],
  ['Persian with a non-joiner between letters', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['Hindi with a joiner between letters', '\u0915\u094d\u200d\u0937'],
  ['Sinhala with a joiner between letters', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ['a Japanese name with a variant of a character', '\u8fbb\u{e0100}'],
  ['an emoji of three parts', 'Acme \u{1f469}\u{1f3fd}\u200d\u{1f4bb}'],
  ['a symbol as an emoji', 'Acme \u2714\ufe0f'],
  ['a symbol as text', 'Acme \u2714\ufe0e'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['letters with combining marks', 'Zoe\u0308'],
])('describeInvisible accepts %s', (_what, text) => {
  expect(describeInvisible(text)).toBeNull();
});

const direction = 'which changes the direction of the text';
const invisible = 'which is invisible';
const control = 'a control character';

const named = (codes: string, kind: string) => codes.split(' ').map((code) => [code, kind] as const);

test.each([
  ...named('200E 200F 061C 202A 202B 202C 202D 202E 2066 2067 2068 2069', direction),
  ...named('00AD 034F 115F 200B 200C 200D 2060 2028 2800 3164 FE0F FEFF FFF9 E0041', invisible),
  ...named('0000 0007 0009 000A 001B 007F 0085', control),
  ...named('D800 DFFF', 'half of a character'),
])('describeInvisible names U+%s', (code, kind) => {
  const character = String.fromCodePoint(Number.parseInt(code, 16));
  expect(describeInvisible(`\u{1f600}b${character}c`)).toBe(`character 3 is U+${code}, ${kind}`);
  expect(describeInvisible(character)).toBe(`character 1 is U+${code}, ${kind}`);
});

test.each([
  ['between letters that it does not shape', 'ac\u200dme', 3],
  ['at the end of a word', '\u0645\u06cc\u200c', 3],
  ['at the beginning', '\u200c\u0645', 1],
  ['twice', '\u0645\u200c\u200c\u0645', 2],
  ['between an emoji and a letter', '\u{1f469}\u200da', 2],
  ['between a letter and an emoji', 'a\u200d\u{1f469}', 2],
  ['that separates two emoji', '\u{1f469}\u200c\u{1f4bb}', 2],
  ['of no width after a Chinese character', '\u8fbb\u200b', 2],
])('describeInvisible refuses a joiner or space %s', (_what, text, position) => {
  expect(describeInvisible(text) ?? 'nothing').toMatch(
    new RegExp(`^character ${position} is U\\+200[B-D], which is invisible$`),
  );
});

test('quoteVisibly escapes whatever is drawn as nothing, so that a terminal shows it', () => {
  expect(quoteVisibly('a"\u202e\u0007\u001b\u007f\u{e0041}\ud800')).toBe(
    '"a\\"\\u202e\\u0007\\u001b\\u007f\\udb40\\udc41\\ud800"',
  );
});
