// The words of every language: none of those that were rejected. Names stand freely in their sentences, and each status has its
// own words.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { MessagesFile } from '../../src/popup/i18n/messages-file.ts';
import type { MessageKey } from '../../src/popup/i18n/text.ts';
import { readJson } from '../../tools/build/read-text.ts';
import { ownKey } from '../support/english.ts';
import { rejected, type Rejected } from './rejected-words.ts';

type Messages = Readonly<Record<MessageKey, MessagesFile[string]>>;

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'src/public/_locales');

const languages = readdirSync(folder).map((name) => [name, readMessages(name)] as const);

/** A language without rejected words has not decided on its words yet. */
const decided = languages.filter(([name]) => name in rejected);

/** Articles and prepositions that change with the name after them, or decide its gender. */
const inflecting: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(?:der|die|das|den|dem|des|ein\p{L}*|Ihr\p{L}*|im|am|beim|vom|zum|zur) \$(?!time)/iu,
  fr: /(?<!\p{L})(?:de|du|des|le|la|les|au|aux|que|un|une|votre) \$(?!time)|(?<!\p{L})\p{L}’\$/iu,
  es: /(?<!\p{L})(?:el|la|los|las|un|una|al|del|tu) \$(?!time)/iu,
  pt_BR: /(?<!\p{L})(?:o|a|os|as|um|uma|ao|à|do|da|no|na|pelo|pela|seu|sua) \$/iu,
  en: /(?<!\p{L})(?:a|an) \$/iu,
  ar: /(?<!\p{L})[لبكوف]ـ? \$/u,
};

test.each(decided)('%s uses none of the words that were rejected', (name, messages) => {
  const rules: Rejected = rejected[name] ?? {};
  expect(
    Object.keys(rules).length,
    `Add at least six words to tests/public/rejected-words.ts, under ${name}`,
  ).toBeGreaterThan(5);
  const faults = toEntries(messages).flatMap(([key, { message }]) =>
    Object.entries(rules).flatMap(([instead, words]) =>
      [...message.replace(/\$\w+\$/gu, '$').matchAll(words)].map(
        ([word]) => `${key} says “${word}”. Say: ${instead}`,
      ),
    ),
  );
  expect(faults).toEqual([]);
});

test.each(languages)('%s leaves a name free of letters, articles and endings', (name, messages) => {
  // A time is no name: Japanese and Chinese put their particles beside it.
  const attached = /[\p{L}\p{M}ـ]\$(?!time\$)\w+\$|\$(?!time\$)\w+\$[\p{L}\p{M}]/u;
  const faults = toEntries(messages).filter(
    ([, { message }]) => attached.test(message) || inflecting[name]?.test(message),
  );
  expect(
    faults.map(([key, { message }]) => `${key}: ${message}`),
    'Leave a space around each $name$, and no article before it',
  ).toEqual([]);
});

test.each(languages)('%s gives each status its own words', (_, messages) => {
  const statuses = ['signed_out', 'signing_in', 'signed_in'] as const;
  const announced = statuses.map((status) => messages[`announcement_${status}`].message);
  const titles = (['SignedOut', 'SigningIn', 'SignedIn'] as const).map(
    (status) => messages[`toolbar${status}`].message,
  );
  expect(new Set(announced).size).toBe(3);
  expect(new Set(titles).size).toBe(3);
});

test.each(languages)('%s has no exclamation marks, no three full stops and no digits', (_, messages) => {
  const faults = toEntries(messages).filter(([, { message }]) => /[!！¡]|\.{2}|…{2}|。{2}|\d/u.test(message));
  expect(faults.map(([key, { message }]) => `${key}: ${message}`)).toEqual([]);
});

test('every English message has a description, which no other one has, and an example for each placeholder', () => {
  const entries = toEntries(readMessages('en'));
  const faults = entries.flatMap(([key, { description, placeholders = {} }]) => [
    ...(description === undefined ? [`${key} has no description`] : []),
    ...entries
      .filter(([other, message]) => other !== key && message.description === description)
      .slice(0, 1)
      .map(([other]) => `${key} has the description of ${other}`),
    ...Object.entries(placeholders)
      .filter(([, { example }]) => example === undefined)
      .map(([name]) => `${key} has no example for $${name}$`),
  ]);
  expect(faults).toEqual([]);
});

test('English has typographic quotation marks and apostrophes', () => {
  const faults = toEntries(readMessages('en')).filter(([, { message }]) => /["'`´‘]/u.test(message));
  expect(faults.map(([key, { message }]) => `${key}: ${message}`)).toEqual([]);
});

test('French has a no-break space before a colon, and a narrow one within « » and before ; and ?', () => {
  const faults = toEntries(readMessages('fr')).filter(([, { message }]) =>
    /(?<!\u00A0):|(?<!\u202F)[;?»]|«(?!\u202F)/u.test(message),
  );
  expect(faults.map(([key, { message }]) => `${key}: ${message}`)).toEqual([]);
});

test('only French has no-break spaces', () => {
  const others = languages.filter(([name]) => name !== 'fr');
  const faults = others.flatMap(([name, messages]) =>
    toEntries(messages)
      .filter(([, { message }]) => /[\u00A0\u202F]/u.test(message))
      .map(([key]) => `${name} ${key}`),
  );
  expect(faults).toEqual([]);
});

function readMessages(name: string): Messages {
  return readJson(join(name, 'messages.json'), folder) as Messages;
}

function toEntries(messages: Messages): readonly (readonly [string, MessagesFile[string]])[] {
  return Object.entries(messages).filter(([key]) => ownKey.test(key));
}
