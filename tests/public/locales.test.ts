// Every translation has all messages of the English file, with the same placeholders, its own quotation marks
// and a similar length. Its translator reads the failures: each names the message, and says what to write.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { MessagesFile } from '../../src/popup/i18n/messages-file.ts';
import { readJson } from '../../tools/build/read-text.ts';

interface Language {
  readonly direction: 'ltr' | 'rtl';
  /** The mark before a quotation, the mark after it, and the apostrophe if the language has one. */
  readonly quotes: string;
  /** The keys of the messages that are identical in English, in any order. */
  readonly sameAsEnglish: readonly string[];
}

/** A language without a folder is not tested. */
const languages: Readonly<Record<string, Language>> = {
  ar: { direction: 'rtl', quotes: '«»', sameAsEnglish: [] },
  de: { direction: 'ltr', quotes: '„“’', sameAsEnglish: [] },
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
/** The languages whose rules are known. A test of its own reports the others. */
const described = names.filter((name) => languages[name] !== undefined);
const translations = new Map(names.map((name) => [name, readMessages(name)]));

function readMessages(name: string): MessagesFile {
  return readJson(join(name, 'messages.json'), folder) as MessagesFile;
}

/** The language's message; an empty one if it is missing, which a test of its own reports. */
function messageIn(name: string, key: string): MessagesFile[string] {
  return translations.get(name)?.[key] ?? { message: '' };
}

function languageOf(name: string): Language {
  const language = languages[name];
  if (language === undefined)
    throw new Error(`“${name}” is missing from \`languages\` in tests/public/locales.test.ts.`);
  return language;
}

/** Settings, not words. */
const facts: readonly string[] = ['language', 'direction', 'extensionName'];

/**
 * The mistake of a translation, and what to write; null if there is none. Given the translation, the English message and the
 * language.
 */
type Rule = (own: MessagesFile[string], source: MessagesFile[string], language: Language) => string | null;

const rules: Readonly<Record<string, Rule>> = {
  'has the placeholders of the English message, by name only': (own, source) => {
    const [found, expected] = [findNames(own.message), findNames(source.message)];
    if (own.message.replace(/\$\w+\$/gu, '').includes('$'))
      return 'has a $ that belongs to no placeholder; write no other $';
    return isDeepStrictEqual(found, expected)
      ? null
      : `has ${toList(found)}; write ${toList(expected)}, which stays in English`;
  },
  'defines its placeholders like the English message': (own, source) =>
    isDeepStrictEqual(toContents(own), toContents(source))
      ? null
      : `copy "placeholders" from the English file: ${JSON.stringify(toContents(source))}`,
  'has no descriptions and examples of its own': (own) =>
    own.description === undefined &&
    Object.values(own.placeholders ?? {}).every(({ example }) => example === undefined)
      ? null
      : 'remove "description" and "example"; they are in the English file',
  'is not empty and has no stray space': ({ message }) =>
    /^$|^\s|\s$|\s{2}|\n/u.test(message)
      ? 'is empty, or has a space at an end, two spaces or a line break'
      : null,
  'ends with a full stop or colon where the English message does': (own, source) => {
    const [found, expected] = [toEnding(own.message), toEnding(source.message)];
    return found === expected ? null : `ends with ${found}; end it with ${expected}, as in English`;
  },
  'uses only the quotation marks of its language': ({ message }, _, { quotes }) => {
    const marks = [...message.matchAll(/["'`´‘’‚‛“”„‟«»‹›「」『』＂＇]/gu)].map(([mark]) => mark);
    const wrong = marks.filter((mark) => !quotes.includes(mark));
    return wrong.length === 0 ? null : `has ${wrong.join(' ')} where the language has only ${quotes}`;
  },
  'is not much wider than the English message': (own, source) => {
    const [width, most] = [toWidth(own.message), Math.floor(1.5 * toWidth(source.message) + 18)];
    return width <= most ? null : `is ${width} characters wide; write at most ${most}`;
  },
};

test('every language folder has a line in `languages`', () => {
  const missing = names.filter((name) => !described.includes(name));
  expect(missing, 'Add a line for each to `languages` in tests/public/locales.test.ts').toEqual([]);
});

test.each(names)('%s has the keys of the English file, in the same order', (name) => {
  expect(Object.keys(translations.get(name) ?? {})).toEqual(keys);
});

test.each(described)('%s declares its language, its direction and the product name', (name) => {
  expect(facts.map((key) => messageIn(name, key).message)).toEqual([
    name.replace('_', '-'),
    languageOf(name).direction,
    english['extensionName']?.message,
  ]);
});

test.each(described.flatMap((name) => Object.keys(rules).map((rule) => [name, rule] as const)))(
  'every message in %s %s',
  (name, rule) => {
    const language = languageOf(name);
    const faults = Object.entries(english).flatMap(([key, message]) => {
      const own = messageIn(name, key);
      const fault = rules[rule]?.(own, message, language) ?? null;
      return fault === null ? [] : [`${key}: “${own.message}” ${fault}`];
    });
    expect(faults).toEqual([]);
  },
);

test.each(described)('%s puts the search text in quotation marks', (name) => {
  const [open, close] = languageOf(name).quotes;
  const quoted = new RegExp(`${open}\u202f?\\$query\\$\u202f?${close}`, 'u');
  const { message } = messageIn(name, 'signedOut_noMatch');
  expect(message, `signedOut_noMatch has no ${open}$query$${close}`).toMatch(quoted);
});

test.each(described)('%s has no untranslated messages', (name) => {
  const { sameAsEnglish } = languageOf(name);
  const faults = keys.flatMap((key) => {
    const { message } = messageIn(name, key);
    const isSame = message === english[key]?.message;
    if (facts.includes(key) || isSame === sameAsEnglish.includes(key)) return [];
    return isSame
      ? `${key}: “${message}” is the English text; translate it, or add ${key} to sameAsEnglish if your language says it so`
      : `${key}: “${message}” is not the English text; remove ${key} from sameAsEnglish`;
  });
  expect(faults).toEqual([]);
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

function toList(placeholders: readonly string[]): string {
  return placeholders.length === 0 ? 'no placeholder' : placeholders.map((name) => `$${name}$`).join(' and ');
}

function toEnding(message: string): 'a full stop' | 'a colon' | 'neither full stop nor colon' {
  if (/[.。]$/u.test(message)) return 'a full stop';
  return /[:：]$/u.test(message) ? 'a colon' : 'neither full stop nor colon';
}

/** The width in columns: Chinese and Japanese characters take two, combining marks none. */
function toWidth(message: string): number {
  const wide = message.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u30FF\uFF01-\uFF60]/gu) ?? [];
  return message.replace(/\p{Mn}/gu, '').length + wide.length;
}
