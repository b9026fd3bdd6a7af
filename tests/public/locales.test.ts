// Every translation has all messages of the English file, with the same placeholders, its own quotation marks
// and a similar length.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { toLookUp, type MessagesFile } from '../../src/gallery/messages-file.ts';
import { readLanguages } from '../../tools/build/read-languages.ts';

interface Language {
  readonly direction: 'ltr' | 'rtl';
  /** The quotation marks and apostrophes of the language. */
  readonly quotes: string;
  /** The keys of the messages that are identical in English. */
  readonly sameAsEnglish: readonly string[];
}

/** A language without a folder is not tested. */
const languages: Readonly<Record<string, Language>> = {
  ar: { direction: 'rtl', quotes: '«»', sameAsEnglish: [] },
  de: { direction: 'ltr', quotes: '„“’', sameAsEnglish: ['problem_details'] },
  es: { direction: 'ltr', quotes: '«»', sameAsEnglish: [] },
  fr: { direction: 'ltr', quotes: '«»’', sameAsEnglish: [] },
  ja: { direction: 'ltr', quotes: '「」', sameAsEnglish: [] },
  pt_BR: { direction: 'ltr', quotes: '“”', sameAsEnglish: [] },
  zh_CN: { direction: 'ltr', quotes: '“”', sameAsEnglish: [] },
};

const folder = resolve(import.meta.dirname, '../../src/public/_locales');
const names = readdirSync(folder).filter((name) => name !== 'en');
const english = readMessages('en');
const keys = Object.keys(english);
const translations = new Map(names.map((name) => [name, readMessages(name)]));

function readMessages(name: string): MessagesFile {
  return JSON.parse(readFileSync(join(folder, name, 'messages.json'), 'utf8')) as MessagesFile;
}

/** The language's message; an empty one if it is missing, which a test of its own reports. */
function messageIn(name: string, key: string): MessagesFile[string] {
  return translations.get(name)?.[key] ?? { message: '' };
}

function languageOf(name: string): Language {
  const language = languages[name];
  if (language === undefined)
    throw new Error(`Add ${name} to the languages in tests/public/locales.test.ts.`);
  return language;
}

/** Settings, not words. */
const facts: readonly string[] = ['language', 'direction', 'extensionName'];

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

test('a build accepts every language', () => {
  expect(Object.keys(readLanguages())).toEqual(readdirSync(folder));
});

test('every language folder is described here', () => {
  expect(Object.keys(languages)).toEqual(expect.arrayContaining(names));
});

test.each(names)('%s has the keys of the English file, in the same order', (name) => {
  expect(Object.keys(translations.get(name) ?? {})).toEqual(keys);
});

test.each(names)('%s declares its language, its direction and the product name', (name) => {
  expect(facts.map((key) => messageIn(name, key).message)).toEqual([
    name.replace('_', '-'),
    languageOf(name).direction,
    english['extensionName']?.message,
  ]);
});

test.each(names.flatMap((name) => Object.keys(rules).map((rule) => [name, rule] as const)))(
  'every message in %s %s',
  (name, rule) => {
    const language = languageOf(name);
    const faults = Object.entries(english).flatMap(([key, message]) => {
      const own = messageIn(name, key);
      return rules[rule]?.(own, message, language) === true ? [] : [`${key}: ${own.message}`];
    });
    expect(faults).toEqual([]);
  },
);

test.each(names)('%s puts the search text in quotation marks', (name) => {
  const [open, close] = languageOf(name).quotes;
  const quoted = new RegExp(`${open}\u202f?\\$query\\$\u202f?${close}`, 'u');
  expect(messageIn(name, 'signedOut_noMatch').message).toMatch(quoted);
});

test.each(names)('%s has no untranslated messages', (name) => {
  const isLeft = (key: string) =>
    !facts.includes(key) && messageIn(name, key).message === english[key]?.message;
  expect(keys.filter(isLeft)).toEqual(languageOf(name).sameAsEnglish);
});

test.each(names)('the description in %s is at most 132 characters, as the stores require', (name) => {
  expect(messageIn(name, 'extensionDescription').message.length).toBeLessThanOrEqual(132);
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
