// The messages of public/_locales, as the browser finds them, and the language that it found them in.

import { browser } from '../../bridge/browser.ts';

export interface Locale {
  /** A BCP 47 tag, for `lang` and for `Intl`. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
}

/** The message of that key in the person's language, or in English where that lacks it; '' if there is none. */
export function lookUp(key: string, substitutions: readonly string[] = []): string {
  return browser.i18n.getMessage(key, [...substitutions]);
}

/**
 * The language of the messages. The browser's own, `@@ui_locale`, may be one that there are no messages in, and
 * `@@bidi_dir` goes with it; so each file of messages says which language it is. Where the browser's own is of
 * that language it is the better one, because it knows the region.
 */
export function locale(): Locale {
  const language = lookUp('language') || 'en';
  const own = lookUp('@@ui_locale').replaceAll('_', '-');
  return {
    language: toBase(own) === toBase(language) ? own : language,
    direction: lookUp('direction') === 'rtl' ? 'rtl' : 'ltr',
  };
}

function toBase(language: string): string | undefined {
  return language.split('-')[0]?.toLowerCase();
}
