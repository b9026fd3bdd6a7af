import { beforeEach, describe, expect, test, vi } from 'vitest';
import { browser } from '../../../src/bridge/browser.ts';
import { locale, lookUp } from '../../../src/popup/i18n/page-text.ts';

vi.mock('../../../src/bridge/browser.ts', () => ({ browser: { i18n: { getMessage: vi.fn() } } })); // -- the polyfill refuses to load outside a browser

const getMessage = vi.mocked(browser.i18n.getMessage);
beforeEach(() => void getMessage.mockReset());

/** Fakes a browser with the language `browserLanguage`, and the messages that it has found. */
function fakeBrowser(browserLanguage: string, messages: Readonly<Record<string, string>>): void {
  getMessage.mockImplementation((key) => (key === '@@ui_locale' ? browserLanguage : (messages[key] ?? '')));
}

describe('locale', () => {
  test.each([
    ['en_US', 'en', 'ltr', 'en-US', 'ltr'],
    ['en-GB', 'en', 'ltr', 'en-GB', 'ltr'],
    ['de', 'de', 'ltr', 'de', 'ltr'],
    ['pt_BR', 'pt-BR', 'ltr', 'pt-BR', 'ltr'],
    ['ar_EG', 'ar', 'rtl', 'ar-EG', 'rtl'],
    // There are no Hebrew or Icelandic messages, so the popup is in English, from left to right.
    ['he', 'en', 'ltr', 'en', 'ltr'],
    ['is', 'en', 'ltr', 'en', 'ltr'],
  ])(
    'in a browser in %s with messages in %s (%s) is %s (%s)',
    (browserLanguage, language, direction, ...expected) => {
      fakeBrowser(browserLanguage, { language, direction });
      expect(Object.values(locale(lookUp))).toEqual(expected);
    },
  );

  test('is English without any messages', () => {
    fakeBrowser('fi', {});
    expect(locale(lookUp)).toEqual({ language: 'en', direction: 'ltr' });
  });
});

test('lookUp passes the substitutions to the browser', () => {
  lookUp('signedOut_continueAs', ['Ada']);
  expect(getMessage).toHaveBeenCalledWith('signedOut_continueAs', ['Ada']);
});
