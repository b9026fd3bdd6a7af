// Finds characters that a reader of a text doesn't see, or that change how the text around them is shown.

import { once } from '../concurrency.ts';

/** Controls, halves of characters, separators of lines, and everything that is drawn as nothing. */
const drawnAsNothing = once(
  () => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/u,
);

/** The letters of scripts in which a joiner between two letters changes their shape, as in Persian and Hindi. */
const joiningLetters = once(
  () =>
    /(?!\p{Default_Ignorable_Code_Point})[\p{sc=Arab}\p{sc=Beng}\p{sc=Deva}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Khmr}\p{sc=Mlym}\p{sc=Mong}\p{sc=Mymr}\p{sc=Nkoo}\p{sc=Orya}\p{sc=Sinh}\p{sc=Syrc}\p{sc=Taml}\p{sc=Telu}]/gu,
);

/** Stands for each of them. */
const someLetter = '\u0627';

/** Characters that change the shape of their neighbors: of letters, emoji, and Chinese characters, as in Japanese names. */
const shapers = once(
  () =>
    /(?<=\u0627)[\u200C\u200D](?=\u0627)|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\uFE0E\uFE0F]|(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]/gu,
);

/**
 * Describes the first invisible character: `character 3 is U+202E, which changes the direction of the text`. Returns null
 * if there is none. A joiner between letters that it shapes, and a part of an emoji, aren't invisible.
 */
export function describeInvisible(text: string): string | null {
  const characters = [...text.replace(joiningLetters(), someLetter).replace(shapers(), ' ')];
  const index = characters.findIndex((character) => drawnAsNothing().test(character));
  const character = characters[index];
  if (character === undefined) return null;
  const codePoint = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `character ${index + 1} is U+${codePoint}, ${toKind(character)}`;
}

/** Quotes a text as JSON does, and also escapes each character that is drawn as nothing. */
export function quoteVisibly(text: string): string {
  return [...JSON.stringify(text)]
    .map((character) => (drawnAsNothing().test(character) ? toEscapes(character) : character))
    .join('');
}

function toKind(character: string): string {
  if (/\p{Bidi_Control}/u.test(character)) return 'which changes the direction of the text';
  if (/\p{Cc}/u.test(character)) return 'a control character';
  return /\p{Cs}/u.test(character) ? 'half of a character' : 'which is invisible';
}

function toEscapes(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
