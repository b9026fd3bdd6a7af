// Reads a messages file as browsers do, for code that runs outside the extension, and generates pseudo-languages, which
// show texts that are not translated or have too little space.

import type { LookUp } from '../popup/i18n/text.ts';

/** The content of a `messages.json`, in the browsers' format. */
export type MessagesFile = Readonly<Record<string, Message>>;

interface Message {
  readonly message: string;
  readonly description?: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string; readonly example?: string }>>;
}

const placeholder = /\$([a-z0-9_@]+)\$/giu;

/** The names of the placeholders in a message, in their order. */
export function findPlaceholders(message: string): readonly string[] {
  return [...message.matchAll(placeholder)].map(([, name = '']) => name);
}

/**
 * Looks messages up in one file. Replaces `$name$` with the content of that placeholder, then `$1` with the first
 * substitution, and `$$` with `$`. Returns '' for a missing key, as browsers do; to fall back to English as they do,
 * spread the English file before this one. Throws if a message uses an undefined placeholder, with which Chromium would
 * not load the extension.
 */
export function toLookUp(messages: MessagesFile): LookUp {
  const texts = new Map<string, string>();
  return (key: string, substitutions: readonly string[] = []) => {
    const text = texts.get(key) ?? replacePlaceholders(key, messages[key] ?? { message: '' });
    texts.set(key, text);
    return text.replace(/\$(?:([1-9])|(\$+))/gu, (_, number?: string, rest?: string) =>
      number === undefined ? (rest ?? '') : (substitutions[Number(number) - 1] ?? ''),
    );
  };
}

function replacePlaceholders(key: string, { message, placeholders = {} }: Message): string {
  const contents = new Map(
    Object.entries(placeholders).map(([name, { content }]) => [name.toLowerCase(), content]),
  );
  return message.replace(placeholder, (_, name: string) => {
    const content = contents.get(name.toLowerCase());
    if (content === undefined)
      throw new Error(`The message ${key} has no placeholder ${name}: add it to messages.json.`);
    return content;
  });
}

/**
 * Translates messages into a pseudo-language: with accents, in brackets and about a third longer. Placeholders stay
 * unchanged. With the direction `rtl` the text is displayed from right to left as well.
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

/** Doubles the vowels, which are about two letters of five. */
function toPseudoLetter(letter: string): string {
  const accented = accents[letter] ?? letter;
  return /[aeiou]/iu.test(letter) ? accented + accented.toLowerCase() : accented;
}

const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...'aáeéiíoóuúcçdďgğhĥjĵkķlĺnñrŕsštťwŵyýzžAÅEÉIÎOÖUÛCÇDĐGĜHĤJĴKĶLĻNÑRŘSŠTŢWŴYÝZŽ'.matchAll(/(.)(.)/gu),
  ].map(([, letter, accented]) => [letter, accented]),
);
