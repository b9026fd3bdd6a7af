// The languages that the gallery speaks: every one in _locales, and two that are made of English.

import files from 'latchkey:languages';
import { toLookUp, toPseudo, type MessagesFile } from './messages-file.ts';
import type { LookUp } from '../popup/i18n/text.ts';

const english = files['en'] ?? {};

const languages: Readonly<Record<string, MessagesFile>> = {
  ...files,
  pseudo: toPseudo(english),
  'pseudo-rtl': toPseudo(english, 'rtl'),
};

/** The names of all languages, as addresses have them. */
export const languageNames: readonly string[] = Object.keys(languages);

/** Looks up as a browser of that language does, with English for what it lacks, or for all if there is none such. */
export function toLookUpIn(language: string): LookUp {
  return toLookUp({ ...english, ...languages[language] });
}
