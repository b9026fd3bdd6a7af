import { expect, test } from 'vitest';
import { parseLanguages } from '../../../tools/build/read-languages.ts';
import { describeOutcomes } from '../../support/outcomes.ts';

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

test('a language with a mistake is refused with its file, the message, and what is expected', async () => {
  const mistakes = {
    'text that is not JSON': { ...withGerman({}), de: '{' },
    null: { ...withGerman({}), de: 'null' },
    'a message that is missing': withGerman({ toContinue: undefined }),
    'a message of its own': withGerman({ more: { message: 'Mehr' } }),
    'an empty message': withGerman({ toContinue: { message: '' } }),
    'text in place of a message': withGerman({ toContinue: 'Weiter' }),
    'an unknown placeholder': withGerman({ toContinue: { ...toContinue, message: 'Weiter mit $anbieter$' } }),
    'a placeholder that is not defined': withGerman({ toContinue: { message: 'Weiter mit $provider$' } }),
    'a placeholder without content': withGerman({
      toContinue: { ...toContinue, placeholders: { provider: {} } },
    }),
  };
  const cases = Object.entries(mistakes).map(([what, texts]) => [what, () => parseLanguages(texts)] as const);
  await expect(describeOutcomes(Object.fromEntries(cases))).toMatchFileSnapshot('read-languages.txt');
});

test('each mistake in each language has a line', () => {
  const spanish = JSON.stringify({ language: { message: 'es' } });
  const texts = { ...withGerman({ toContinue: undefined }), es: spanish };
  const problems = [file, file.replace('de', 'es')].map((name) => expect.stringContaining(`${name}:`));
  expect(() => parseLanguages(texts)).toThrow(expect.objectContaining({ problems }));
});
