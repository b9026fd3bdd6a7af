// The page's texts and language: those of the messages in public/_locales.

import { privacyUrl, support } from 'latchkey:config';
import { browser } from '../../bridge/browser.ts';
import { createText, type Text } from './text.ts';

/** The message in the browser's language, or in English if that language lacks it. '' if there is no such message. */
export function lookUp(key: string, substitutions: readonly string[] = []): string {
  return browser.i18n.getMessage(key, [...substitutions]);
}

/** Puts the page into the language of the messages that `look` finds, with the product's name as its title. Returns its texts. */
export function toPageText(look: typeof lookUp): Text {
  const { language, direction } = locale(look);
  const text = createText(look, language, { support, privacyUrl });
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  document.title = text('extensionName');
  return text;
}

/**
 * The language of the messages, as a BCP 47 tag for `lang` and for `Intl`, and its direction. The browser's language
 * (`@@ui_locale`, with its direction `@@bidi_dir`) may be one that has no messages, so each messages file names its own. If
 * both are the same language, the browser's tag is used, because it names the region as well.
 */
export function locale(look: typeof lookUp) {
  const language = look('language') || 'en';
  const browserLanguage = look('@@ui_locale').replaceAll('_', '-');
  return {
    language: toBase(browserLanguage) === toBase(language) ? browserLanguage : language,
    direction: look('direction') === 'rtl' ? 'rtl' : 'ltr',
  };
}

function toBase(language: string): string | undefined {
  return language.split('-')[0]?.toLowerCase();
}
