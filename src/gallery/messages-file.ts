// Reads a file of messages as the browsers do, where there is no browser to do it; and makes of English a
// language that nobody speaks, which shows what of a page would not bear translation.

import type { LookUp } from '../popup/i18n/text.ts';

/** A `messages.json`, as browsers know it. */
export type MessagesFile = Readonly<Record<string, Message>>;

interface Message {
  readonly message: string;
  readonly description?: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string; readonly example?: string }>>;
}

const placeholder = /\$([a-z0-9_@]+)\$/giu;

/**
 * Looks messages up in one file: `$name$` gives way to its placeholder's content, then `$1` to the first
 * substitution, and of `$$` one stays. A key that the file lacks gives '', as in the browsers; to fall back to
 * English as they do, spread the English file before. Throws where a message has a placeholder that it does not
 * define, with which Chromium would not load the extension.
 */
export function toLookUp(messages: MessagesFile): LookUp {
  return (key: string, substitutions: readonly string[] = []) => {
    const { message, placeholders = {} } = messages[key] ?? { message: '' };
    const contents = new Map(
      Object.entries(placeholders).map(([name, { content }]) => [name.toLowerCase(), content]),
    );
    return message
      .replace(placeholder, (_, name: string) => {
        const content = contents.get(name.toLowerCase());
        if (content === undefined) throw new Error(`The message ${key} has no placeholder ${name}.`);
        return content;
      })
      .replace(/\$(?:([1-9])|(\$+))/gu, (_, number?: string, rest?: string) =>
        number === undefined ? (rest ?? '') : (substitutions[Number(number) - 1] ?? ''),
      );
  };
}

/**
 * The same messages with accents, in brackets and about a third longer; placeholders stay as they are. From right
 * to left the letters are reversed as well, so that the whole page can be seen from the other side.
 */
export function toPseudo(messages: MessagesFile, direction: 'ltr' | 'rtl' = 'ltr'): MessagesFile {
  const pseudo = Object.entries(messages).map(([key, entry]) => [
    key,
    { ...entry, message: toPseudoMessage(entry.message, direction) },
  ]);
  return {
    ...Object.fromEntries(pseudo),
    language: { message: direction === 'ltr' ? 'en-XA' : 'ar-XB' },
    direction: { message: direction },
  };
}

function toPseudoMessage(message: string, direction: 'ltr' | 'rtl'): string {
  const accented = message
    .split(/(\$[a-z0-9_@]+\$)/iu)
    .map((part, index) => (index % 2 === 0 ? part.replace(/[a-z]/giu, toPseudoLetter) : part))
    .join('');
  return direction === 'ltr' ? `[${accented}]` : `\u202E[${accented}]\u202C`;
}

/** Vowels twice: of five letters about two are. */
function toPseudoLetter(letter: string): string {
  const accented = accents[letter] ?? letter;
  return /[aeiou]/iu.test(letter) ? accented + accented.toLowerCase() : accented;
}

const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...'aáeéiíoóuúcçdďgğhĥjĵkķlĺnñrŕsštťwŵyýzžAÅEÉIÎOÖUÛCÇDĐGĜHĤJĴKĶLĻNÑRŘSŠTŢWŴYÝZŽ'.matchAll(/(.)(.)/gu),
  ].map(([, letter, accented]) => [letter, accented]),
);
