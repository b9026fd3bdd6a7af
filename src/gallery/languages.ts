// The languages of the gallery: all of _locales, and two pseudo-languages generated from English.

import files from 'latchkey:languages';
import { toLookUp, toPseudo, type MessagesFile } from './messages-file.ts';
import type { LookUp } from '../popup/i18n/text.ts';

const english = files['en'] ?? {};

const languages: Readonly<Record<string, MessagesFile>> = {
  ...files,
  pseudo: toPseudo(english),
  'pseudo-rtl': toPseudo(english, 'rtl'),
};

/** The names of all languages, as used in URLs. */
export const languageNames: readonly string[] = Object.keys(languages);

/** Looks up messages as a browser of that language does: in English if the message or the whole language is missing. */
export function toLookUpIn(language: string): LookUp {
  return toLookUp({ ...english, ...languages[language] });
}
