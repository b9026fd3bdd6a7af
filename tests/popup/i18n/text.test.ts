import { expect, test } from 'vitest';
import { createText } from '../../../src/popup/i18n/text.ts';
import { english, lookUp } from '../../support/english.ts';

test('a text isolates the writing direction of a name', () => {
  expect(english('signedOut_continueAs', 'نجيب محفوظ')).toBe('Continue as \u2068نجيب محفوظ\u2069');
});

test('a text is in the language of its messages, or in English if they do not name one', () => {
  expect(createText((key) => (key === 'language' ? 'fr' : lookUp(key))).language).toBe('fr');
  expect(createText(() => '').language).toBe('en');
  expect(createText(lookUp, 'en-GB').language).toBe('en-GB');
});
