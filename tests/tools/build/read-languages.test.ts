import { expect, test } from 'vitest';
import { parseLanguages } from '../../../tools/build/read-languages.ts';

const toContinue = { message: 'Continue with $provider$', placeholders: { provider: { content: '$1' } } };
const english = { language: { message: 'en', description: 'The language.' }, toContinue };
const german = {
  language: { message: 'de' },
  toContinue: { ...toContinue, message: 'Weiter mit $Provider$' },
};

/** The texts of the files: English, and German with these members in place of its own. */
const withGerman = (members: object) => ({
  en: JSON.stringify(english),
  de: JSON.stringify({ ...german, ...members }),
});

const file = 'src/public/_locales/de/messages.json';

test('the languages are read as they are, with placeholders in any case', () => {
  expect(parseLanguages(withGerman({}))).toEqual({ en: english, de: german });
});

test.each([
  ['text that is not JSON', { ...withGerman({}), de: '{' }, `${file}:1:2: not JSON: expected`],
  ['null', { ...withGerman({}), de: 'null' }, `${file}:1:1: found null; expected an object`],
  [
    'a message that is missing',
    withGerman({ toContinue: undefined }),
    `${file}:1:1: toContinue: missing; translate it from src/public/_locales/en/messages.json`,
  ],
  [
    'a message of its own',
    withGerman({ more: { message: 'Mehr' } }),
    `src/public/_locales/en/messages.json:1:1: more: missing; translate it from ${file}`,
  ],
  [
    'an empty message',
    withGerman({ toContinue: { message: '' } }),
    `${file}:1:44: toContinue.message: found ""; expected "message" with the text`,
  ],
  [
    'text in place of a message',
    withGerman({ toContinue: 'Weiter' }),
    `${file}:1:30: toContinue: found "Weiter"; expected "message" with the text`,
  ],
  [
    'an unknown placeholder',
    withGerman({ toContinue: { ...toContinue, message: 'Weiter mit $anbieter$' } }),
    'toContinue.message: found the unknown placeholder "$anbieter$"; expected $provider$',
  ],
  [
    'a placeholder that is not defined',
    withGerman({ toContinue: { message: 'Weiter mit $provider$' } }),
    'toContinue.message: found the unknown placeholder "$provider$"; expected none',
  ],
  [
    'a placeholder without content',
    withGerman({ toContinue: { ...toContinue, placeholders: { provider: {} } } }),
    'toContinue.placeholders.provider.content: missing; expected "content" with text such as "$1"',
  ],
])('a language with %s is refused with its file and the message', (_what, texts, told) => {
  expect(() => parseLanguages(texts)).toThrow(told);
});

test('each mistake in each language has a line', () => {
  const spanish = JSON.stringify({ language: { message: 'es' } });
  const texts = { ...withGerman({ toContinue: undefined }), es: spanish };
  const problems = [file, file.replace('de', 'es')].map((name) => expect.stringContaining(`${name}:`));
  expect(() => parseLanguages(texts)).toThrow(expect.objectContaining({ problems }));
});
