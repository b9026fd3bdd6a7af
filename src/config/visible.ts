// Finds characters that a reader of a text does not see, or that change how the text around them is shown.

import { once } from '../concurrency/once.ts';

/** Controls, halves of characters, separators of lines, and everything that is drawn as nothing. */
const drawnAsNothing = once(
  () => /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/u,
);

/** A letter of a script in which a joiner between two letters changes their shape, as in Persian and Hindi. */
const joiningLetter = once(
  () =>
    /[\p{sc=Arab}\p{sc=Beng}\p{sc=Deva}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Khmr}\p{sc=Mlym}\p{sc=Mong}\p{sc=Mymr}\p{sc=Nkoo}\p{sc=Orya}\p{sc=Sinh}\p{sc=Syrc}\p{sc=Taml}\p{sc=Telu}]/u,
);

/**
 * Describes the first invisible character: `character 3 is U+202E, which changes the direction of the text`. Returns null
 * if there is none. A joiner between letters that it shapes, and a part of an emoji, are not invisible.
 */
export function describeInvisible(text: string): string | null {
  const characters = [...text];
  const index = characters.findIndex(
    (character, position) =>
      drawnAsNothing().test(character) &&
      !shapes(character, characters[position - 1] ?? '', characters[position + 1] ?? ''),
  );
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

/** Whether a character that is drawn as nothing changes the shape of its neighbours. */
function shapes(character: string, before: string, after: string): boolean {
  switch (character) {
    case '\u200C':
      return isBetweenJoined(before, after);
    case '\u200D':
      return isBetweenJoined(before, after) || isBetweenEmoji(before, after);
    case '\uFE0E':
    case '\uFE0F':
      return /\p{Emoji}/u.test(before);
    default:
      // Variants of Chinese characters, as in Japanese names.
      return /[\u{E0100}-\u{E01EF}]/u.test(character) && /\p{Script=Han}/u.test(before);
  }
}

function isBetweenJoined(before: string, after: string): boolean {
  return [before, after].every((letter) => joiningLetter().test(letter));
}

function isBetweenEmoji(before: string, after: string): boolean {
  return (
    /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u.test(before) &&
    /\p{Extended_Pictographic}/u.test(after)
  );
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
