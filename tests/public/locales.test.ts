// Every translation has all messages of the English file, with the same placeholders, its own quotation marks
// and a similar length. A missing message does not compile.

import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import ar from '../../src/public/_locales/ar/messages.json' with { type: 'json' };
import de from '../../src/public/_locales/de/messages.json' with { type: 'json' };
import en from '../../src/public/_locales/en/messages.json' with { type: 'json' };
import es from '../../src/public/_locales/es/messages.json' with { type: 'json' };
import fr from '../../src/public/_locales/fr/messages.json' with { type: 'json' };
import ja from '../../src/public/_locales/ja/messages.json' with { type: 'json' };
import pt_BR from '../../src/public/_locales/pt_BR/messages.json' with { type: 'json' };
import zh_CN from '../../src/public/_locales/zh_CN/messages.json' with { type: 'json' };
import { toLookUp, type MessagesFile } from '../../src/gallery/messages-file.ts';
import type { MessageKey } from '../../src/popup/i18n/text.ts';

type Messages = Readonly<Record<MessageKey, MessagesFile[string]>>;

interface Language {
  readonly messages: Messages;
  readonly direction: 'ltr' | 'rtl';
  /** The quotation marks and apostrophes of the language. */
  readonly quotes: string;
  /** Messages that are identical in English. */
  readonly sameAsEnglish: readonly MessageKey[];
}

const languages = {
  ar: { messages: ar, direction: 'rtl', quotes: '«»', sameAsEnglish: [] },
  de: { messages: de, direction: 'ltr', quotes: '„“’', sameAsEnglish: ['problem_details'] },
  es: { messages: es, direction: 'ltr', quotes: '«»', sameAsEnglish: [] },
  fr: { messages: fr, direction: 'ltr', quotes: '«»’', sameAsEnglish: [] },
  ja: { messages: ja, direction: 'ltr', quotes: '「」', sameAsEnglish: [] },
  pt_BR: { messages: pt_BR, direction: 'ltr', quotes: '“”', sameAsEnglish: [] },
  zh_CN: { messages: zh_CN, direction: 'ltr', quotes: '“”', sameAsEnglish: [] },
} as const satisfies Readonly<Record<string, Language>>;

const names = Object.keys(languages) as readonly (keyof typeof languages)[];
const english: Messages = en;
const keys = Object.keys(en) as readonly MessageKey[];

/** Settings, not words. */
const facts: readonly MessageKey[] = ['language', 'direction', 'extensionName'];

/** The rules for each message, given the translation, the English message and the language. */
const rules: Readonly<
  Record<string, (own: MessagesFile[string], source: MessagesFile[string], language: Language) => boolean>
> = {
  'has the placeholders of the English message, by name only': (own, source) =>
    isDeepStrictEqual(findNames(own.message), findNames(source.message)) &&
    !own.message.replace(/\$\w+\$/gu, '').includes('$'),
  'defines its placeholders like the English message': (own, source) =>
    isDeepStrictEqual(toContents(own), toContents(source)),
  'has no descriptions and examples of its own': (own) =>
    own.description === undefined &&
    Object.values(own.placeholders ?? {}).every(({ example }) => example === undefined),
  'replaces every placeholder': (own, source) => {
    const substitutions = ['Ada', 'Acme'].slice(0, findNames(source.message).length);
    const replaced = toLookUp({ language: own })('language', substitutions);
    return substitutions.every((name) => replaced.includes(name)) && !replaced.includes('$');
  },
  'is not empty and has no stray space': ({ message }) => !/^$|^\s|\s$|\s{2}|\n/u.test(message),
  'ends with a full stop or colon where the English message does': (own, source) =>
    toEnding(own.message) === toEnding(source.message),
  'uses only the quotation marks of its language': ({ message }, _, { quotes }) =>
    [...message.matchAll(/["'`´‘’‚‛“”„‟«»‹›「」『』＂＇]/gu)].every(([mark]) => quotes.includes(mark)),
  'is not much wider than the English message': (own, source) =>
    toWidth(own.message) <= 1.5 * toWidth(source.message) + 18,
};

test('every language folder is tested', () => {
  const folders = readdirSync(resolve(import.meta.dirname, '../../src/public/_locales'));
  expect(folders.toSorted()).toEqual([...names, 'en'].toSorted());
});

test.each(names)('%s has the keys of the English file, in the same order', (name) => {
  expect(Object.keys(languages[name].messages)).toEqual(keys);
});

test.each(names)('%s declares its language, its direction and the product name', (name) => {
  const { messages, direction } = languages[name];
  expect(facts.map((key) => messages[key].message)).toEqual([
    name.replace('_', '-'),
    direction,
    english.extensionName.message,
  ]);
});

test.each(names.flatMap((name) => Object.keys(rules).map((rule) => [name, rule] as const)))(
  'every message in %s %s',
  (name, rule) => {
    const { messages }: Language = languages[name];
    const faults = keys.filter((key) => !rules[rule]?.(messages[key], english[key], languages[name]));
    expect(faults.map((key) => `${key}: ${messages[key].message}`)).toEqual([]);
  },
);

test.each(names)('%s puts the search text in quotation marks', (name) => {
  const { messages, quotes } = languages[name];
  const [open, close] = quotes;
  const quoted = new RegExp(`${open}\u202f?\\$query\\$\u202f?${close}`, 'u');
  expect(messages.signedOut_noMatch.message).toMatch(quoted);
});

test.each(names)('%s has no untranslated messages', (name) => {
  const { messages, sameAsEnglish } = languages[name];
  const isLeft = (key: MessageKey) => !facts.includes(key) && messages[key].message === english[key].message;
  expect(keys.filter(isLeft)).toEqual(sameAsEnglish);
});

test.each(names)('the description in %s is at most 132 characters, as the stores require', (name) => {
  expect(languages[name].messages.extensionDescription.message.length).toBeLessThanOrEqual(132);
});

/** The names of the placeholders without duplicates: a language may reorder or repeat them. */
function findNames(message: string): readonly string[] {
  return [...new Set([...message.matchAll(/\$(\w+)\$/gu)].map(([, name = '']) => name))].toSorted();
}

function toContents({ placeholders = {} }: MessagesFile[string]): object {
  return Object.fromEntries(Object.entries(placeholders).map(([name, { content }]) => [name, content]));
}

function toEnding(message: string): 'sentence' | 'colon' | 'none' {
  if (/[.。]$/u.test(message)) return 'sentence';
  return /[:：]$/u.test(message) ? 'colon' : 'none';
}

/** The width in columns: Chinese and Japanese characters take two, combining marks none. */
function toWidth(message: string): number {
  const wide = message.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u30FF\uFF01-\uFF60]/gu) ?? [];
  return message.replace(/\p{Mn}/gu, '').length + wide.length;
}
