import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { toLookUp, type MessagesFile } from '../../../src/gallery/messages-file.ts';
import { createText } from '../../../src/popup/i18n/text.ts';
import { english, toRead } from '../../support/english.ts';

const folder = resolve(import.meta.dirname, '../../../src/public/_locales');
const noonMs = new Date(2030, 0, 31, 12).getTime();

function lookUpIn(language: string) {
  const file = readFileSync(join(folder, language, 'messages.json'), 'utf8');
  return toLookUp(JSON.parse(file) as MessagesFile);
}

test('a name is put in so that its writing direction is its own', () => {
  expect(english.signedOut.continueAs('نجيب محفوظ')).toBe('Continue as \u2068نجيب محفوظ\u2069');
});

test('what is told of the product calls it by its name', () => {
  expect(toRead(english.problem.whatHappened('worker-unreachable'))).toBe('Latchkey does not answer.');
});

test.each(readdirSync(folder))('in %s a date has the form of that language', (language) => {
  const date = new Intl.DateTimeFormat(language.replace('_', '-'), {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  expect(createText(lookUpIn(language)).signedIn.since('Acme', noonMs)).toContain(date.format(noonMs));
});

test.each([
  ['en-US', 'Jan 31, 2030'],
  ['en-GB', '31 Jan 2030'],
])('in %s a date has the form of that region', (language, date) => {
  expect(createText(lookUpIn('en'), language).signedIn.since('Acme', noonMs)).toContain(date);
});

test('a browser that finds no message at all is shown blank texts, and nothing breaks', () => {
  const text = createText(() => '');
  expect(text.signedIn.since('Acme', noonMs)).toBe('');
  expect(text.problem.whatToDo('unexpected')).toBe('');
});
