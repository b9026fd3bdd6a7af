// Looks up the messages of public/_locales with the browser's API, and finds out their language.

import { browser } from '../../bridge/browser.ts';

/** The message in the browser's language, or in English if that language lacks it. '' if there is no such message. */
export function lookUp(key: string, substitutions: readonly string[] = []): string {
  return browser.i18n.getMessage(key, [...substitutions]);
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
