// Every language says all that English says, with the same placeholders, in signs of its own, and as short as it has
// to be. A message that one of them lacks does not compile.

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
  /** The quotation marks and apostrophes that it writes. */
  readonly quotes: string;
  /** What is the same word in English. */
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

/** Not words. */
const facts: readonly MessageKey[] = ['language', 'direction', 'extensionName'];

/** What holds for each message: how a language has it, how English has it, and what that language is like. */
const rules: Readonly<
  Record<string, (own: MessagesFile[string], en: MessagesFile[string], language: Language) => boolean>
> = {
  'puts in what English puts in, and by name alone': (own, en) =>
    isDeepStrictEqual(findNames(own.message), findNames(en.message)) &&
    !own.message.replace(/\$\w+\$/gu, '').includes('$'),
  'defines its placeholders for the browsers as English does': (own, en) =>
    isDeepStrictEqual(toContents(own), toContents(en)),
  'leaves descriptions and examples to English': (own) =>
    own.description === undefined &&
    Object.values(own.placeholders ?? {}).every(({ example }) => example === undefined),
  'shows a name in place of each placeholder': (own, en) => {
    const substitutions = ['Ada', 'Acme'].slice(0, findNames(en.message).length);
    const written = toLookUp({ language: own })('language', substitutions);
    return substitutions.every((name) => written.includes(name)) && !written.includes('$');
  },
  'is not blank and has no stray space': ({ message }) => !/^$|^\s|\s$|\s{2}|\n/u.test(message),
  'ends a sentence where English ends one': (own, en) => toEnding(own.message) === toEnding(en.message),
  'writes no quotation marks but its own': ({ message }, _, { quotes }) =>
    [...message.matchAll(/["'`´‘’‚‛“”„‟«»‹›「」『』＂＇]/gu)].every(([mark]) => quotes.includes(mark)),
  'is not much wider than English': (own, en) => toWidth(own.message) <= 1.5 * toWidth(en.message) + 12,
};

test('every language is looked at here', () => {
  const folders = readdirSync(resolve(import.meta.dirname, '../../src/public/_locales'));
  expect(folders.toSorted()).toEqual([...names, 'en'].toSorted());
});

test.each(names)('%s has the keys of English, in the same order', (name) => {
  expect(Object.keys(languages[name].messages)).toEqual(keys);
});

test.each(names)(
  '%s says which language it is, in which direction it is written, and the same name',
  (name) => {
    const { messages, direction } = languages[name];
    expect(facts.map((key) => messages[key].message)).toEqual([
      name.replace('_', '-'),
      direction,
      english.extensionName.message,
    ]);
  },
);

test.each(names.flatMap((name) => Object.keys(rules).map((rule) => [name, rule] as const)))(
  'each message in %s %s',
  (name, rule) => {
    const { messages }: Language = languages[name];
    const faults = keys.filter((key) => !rules[rule]?.(messages[key], english[key], languages[name]));
    expect(faults.map((key) => `${key}: ${messages[key].message}`)).toEqual([]);
  },
);

test.each(names)('%s quotes what a person has typed', (name) => {
  const { messages, quotes } = languages[name];
  const [open, close] = quotes;
  const quoted = new RegExp(`${open}\u00a0?\\$query\\$\u00a0?${close}`, 'u');
  expect(messages.signedOut_noMatch.message).toMatch(quoted);
});

test.each(names)('nothing in %s was left in English, except what is the same word', (name) => {
  const { messages, sameAsEnglish } = languages[name];
  const isLeft = (key: MessageKey) => !facts.includes(key) && messages[key].message === english[key].message;
  expect(keys.filter(isLeft)).toEqual(sameAsEnglish);
});

test.each(names)('the description in %s is as short as the stores ask', (name) => {
  expect(languages[name].messages.extensionDescription.message.length).toBeLessThanOrEqual(132);
});

/** The names of the placeholders, each once: a language may say one in another place, or twice. */
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

/** In columns: Chinese and Japanese signs take two, marks above and below a letter none. */
function toWidth(message: string): number {
  const wide = message.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u30FF\uFF01-\uFF60]/gu) ?? [];
  return message.replace(/\p{Mn}/gu, '').length + wide.length;
}
