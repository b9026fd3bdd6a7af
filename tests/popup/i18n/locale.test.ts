import { beforeEach, expect, test, vi } from 'vitest';
import { browser } from '../../../src/bridge/browser.ts';
import { locale, lookUp } from '../../../src/popup/i18n/locale.ts';

vi.mock('../../../src/bridge/browser.ts', () => ({ browser: { i18n: { getMessage: vi.fn() } } })); // -- the polyfill refuses to load outside a browser

const getMessage = vi.mocked(browser.i18n.getMessage);
beforeEach(() => void getMessage.mockReset());

/** A browser of one language that has found messages in another, or in the same. */
function speak(own: string, messages: Readonly<Record<string, string>>): void {
  getMessage.mockImplementation((key) => (key === '@@ui_locale' ? own : (messages[key] ?? '')));
}

test.each([
  ['en_US', 'en', 'ltr', 'en-US', 'ltr'],
  ['en-GB', 'en', 'ltr', 'en-GB', 'ltr'],
  ['de', 'de', 'ltr', 'de', 'ltr'],
  ['pt_BR', 'pt-BR', 'ltr', 'pt-BR', 'ltr'],
  ['ar_EG', 'ar', 'rtl', 'ar-EG', 'rtl'],
  // There is no Hebrew and no Icelandic: what is shown is English, from left to right.
  ['he', 'en', 'ltr', 'en', 'ltr'],
  ['is', 'en', 'ltr', 'en', 'ltr'],
])(
  'a browser in %s with messages in %s, %s, makes a page in %s, %s',
  (own, language, direction, ...expected) => {
    speak(own, { language, direction });
    expect(Object.values(locale())).toEqual(expected);
  },
);

test('a page without a single message is in English', () => {
  speak('fi', {});
  expect(locale()).toEqual({ language: 'en', direction: 'ltr' });
});

test('the browser puts the substitutions in', () => {
  lookUp('signedOut_continueAs', ['Ada']);
  expect(getMessage).toHaveBeenCalledWith('signedOut_continueAs', ['Ada']);
});
