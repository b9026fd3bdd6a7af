// The languages that the gallery speaks: every one in _locales, and two that are made of English.

import { toLookUp, toPseudo, type MessagesFile } from '../popup/messages-file.ts';
import type { LookUp } from '../popup/text.ts';

const files = import.meta.glob<MessagesFile>('../public/_locales/*/messages.json', {
  eager: true,
  import: 'default',
});

const english = expectMessages('en');

const languages: Readonly<Record<string, MessagesFile>> = {
  ...Object.fromEntries(
    Object.keys(files)
      .map((path) => path.split('/').at(-2) ?? '')
      .map((language) => [language, expectMessages(language)]),
  ),
  pseudo: toPseudo(english),
  'pseudo-rtl': toPseudo(english, 'rtl'),
};

/** The names of all languages, as addresses have them. */
export const languageNames: readonly string[] = Object.keys(languages);

/** Looks up as a browser of that language does, with English where a message lacks; in English if there is no such language. */
export function toLookUpIn(language: string): LookUp {
  return toLookUp({ ...english, ...languages[language] });
}

function expectMessages(language: string): MessagesFile {
  const messages = files[`../public/_locales/${language}/messages.json`];
  if (messages === undefined)
    throw new Error(`src/public/_locales has no messages of the language ${language}.`);
  return messages;
}
