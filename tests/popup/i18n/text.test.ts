import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toLookUp, type MessagesFile } from '../../../src/gallery/messages-file.ts';
import { createText } from '../../../src/popup/i18n/text.ts';
import { english, lookUp, toRead } from '../../support/english.ts';

const folder = resolve(import.meta.dirname, '../../../src/public/_locales');
const noonMs = new Date(2030, 0, 31, 12).getTime();

function lookUpIn(language: string) {
  const file = readFileSync(join(folder, language, 'messages.json'), 'utf8');
  return toLookUp(JSON.parse(file) as MessagesFile);
}

describe('createText', () => {
  test('isolates the writing direction of a name', () => {
    expect(english.signedOut.continueAs('نجيب محفوظ')).toBe('Continue as \u2068نجيب محفوظ\u2069');
  });

  test('names the product in its messages', () => {
    expect(english.product).toBe(lookUp('extensionName'));
    expect(toRead(english.problem.whatHappened('worker-unreachable'))).toContain(english.product);
  });

  test.each(readdirSync(folder))('formats a date for the language %s', (language) => {
    const date = new Intl.DateTimeFormat(language.replace('_', '-'), {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    expect(createText(lookUpIn(language)).signedIn.since('Acme', noonMs)).toContain(date.format(noonMs));
  });

  test.each([
    ['en-US', 'Jan 31, 2030'],
    ['en-GB', '31 Jan 2030'],
  ])('formats a date for the region of %s', (language, date) => {
    expect(createText(lookUpIn('en'), language).signedIn.since('Acme', noonMs)).toContain(date);
  });

  test('returns empty texts if the browser finds no messages', () => {
    const text = createText(() => '');
    expect(text.signedIn.since('Acme', noonMs)).toBe('');
    expect(text.problem.whatToDo('unexpected')).toBe('');
  });
});
