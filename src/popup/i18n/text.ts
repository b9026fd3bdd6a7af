// The texts of the popup: the messages of public/_locales, one file for each language. A key without an English message is a
// compile error, and so are names for a message without placeholders.

import type { Config } from '../../config/provider.ts';

/** The English messages file. Every language has the same keys and placeholders. */
type Messages = typeof import('../../public/_locales/en/messages.json');

export type MessageKey = keyof Messages;

/** Looks up a message in the user's language and replaces its placeholders with the substitutions. */
export type LookUp = (key: MessageKey, substitutions?: readonly string[]) => string;

/** The names that replace a message's placeholders. */
type Names<Key extends MessageKey> = Key extends MessageKey
  ? Messages[Key] extends { readonly placeholders: object }
    ? readonly [string, ...string[]]
    : readonly []
  : never;

/** The product's help and privacy pages. */
export type Product = Pick<Config, 'support' | 'privacyUrl'>;

export interface Text extends Product {
  /** The message in the user's language, with its names. '' if the browser finds no such message. */
  <Key extends MessageKey>(key: Key, ...names: Names<Key>): string;
  /** A BCP 47 tag, which may name a region: `en-GB`. For dates and numbers. */
  readonly language: string;
}

/** The texts in the language of `lookUp`. Dates and numbers are written as in `language`. */
export function createText(
  lookUp: LookUp,
  language = lookUp('language') || 'en',
  product: Product = { support: null, privacyUrl: null },
): Text {
  const text = (key: MessageKey, ...names: readonly string[]) => lookUp(key, names.map(isolate));
  return Object.assign(text, { language, ...product });
}

type KeyPart<Code extends string> = Code extends `${infer Start}-${infer Rest}`
  ? `${Start}_${KeyPart<Rest>}`
  : Code;

/** A code as part of a message key, which may contain only letters, digits and underscores. */
export function toKeyPart<Code extends string>(code: Code): KeyPart<Code> {
  return code.replaceAll('-', '_') as KeyPart<Code>;
}

/** Isolates a name (with U+2068 and U+2069), so that its writing direction doesn't affect the sentence around it. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}

/** The gap after a sentence. The full stop of Japanese and Chinese needs none: it is as wide as a letter. */
export function gapAfter(sentence: string): ' ' | '' {
  return sentence.endsWith('。') ? '' : ' ';
}

/** The sentence that says who has made the settings. */
export function toManaged(text: Text, organization: string | undefined): string {
  return organization === undefined ? text('managed') : text('managed_by', organization);
}
