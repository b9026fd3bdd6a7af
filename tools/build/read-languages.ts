// Reads the messages of all languages, and refuses a language that would leave a text empty or that a browser would not load.

import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { quote, toMistake, type Mistake } from '../../src/config/config-error.ts';
import { findPlaceholders, type MessagesFile } from '../../src/popup/i18n/messages-file.ts';
import { FileError, parseJson, toProblem, readText, root } from './read-text.ts';

const folder = 'src/public/_locales';

/** The languages by name, with the text of their files. */
type Texts = Readonly<Record<string, string>>;

const textMember = '"message" with the text';
const contentMember = '"content" with text such as "$1"';

const messageSchema = v.looseObject(
  {
    message: v.pipe(v.string(textMember), v.nonEmpty(textMember)),
    placeholders: v.optional(
      v.record(v.string(), v.looseObject({ content: v.string(contentMember) }, contentMember), 'an object'),
    ),
  },
  textMember,
);

const fileSchema = v.record(v.string(), messageSchema, 'an object with a member for each message');

/** The names of the folders in the folder `_locales`, sorted. It ignores files, such as those that file managers leave. */
export function listLanguages(locales: string): readonly string[] {
  return readdirSync(locales, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Reads the messages of each language below a folder. Throws as {@link parseLanguages} does. */
export function readLanguages(
  publicFolder = resolve(root, 'src/public'),
): Readonly<Record<string, MessagesFile>> {
  const locales = resolve(publicFolder, '_locales');
  const texts = listLanguages(locales).map((name) => [name, readText(`${name}/messages.json`, locales)]);
  return parseLanguages(Object.fromEntries(texts) as Texts);
}

/**
 * Parses the messages of each language. Throws a {@link FileError} that names file and message of each mistake: a file
 * that is not JSON, a message that another language has, and a placeholder that the message does not define.
 */
export function parseLanguages(texts: Texts): Readonly<Record<string, MessagesFile>> {
  const files = Object.entries(texts).map(([name, text]) => ({ name, ...parseJson(text, toFile(name)) }));
  const check = (find: (file: (typeof files)[number]) => Mistake[]) => {
    const problems = files.flatMap((file) => find(file).map((mistake) => toProblem(file, mistake)));
    if (problems.length > 0) throw new FileError(problems);
  };
  check(({ value }) => findWrongMessages(value));
  const languages = Object.fromEntries(files.map(({ name, value }) => [name, value as MessagesFile]));
  check(({ name }) => findMissing(name, languages));
  return languages;
}

function toFile(name: string): string {
  return `${folder}/${name}/messages.json`;
}

function findWrongMessages(value: unknown): Mistake[] {
  const { success, output, issues } = v.safeParse(fileSchema, value);
  return success ? Object.entries(output).flatMap(findUnknownPlaceholders) : issues.map(toMistake);
}

/** Chromium does not load an extension with an unknown placeholder. Case does not count, as in browsers. */
function findUnknownPlaceholders([key, { message, placeholders = {} }]: [
  string,
  v.InferOutput<typeof messageSchema>,
]): Mistake[] {
  const known = Object.keys(placeholders);
  const expected = known.length === 0 ? 'none' : known.map((name) => `$${name}$`).join(' or ');
  return findPlaceholders(message)
    .filter((used) => !known.some((name) => name.toLowerCase() === used.toLowerCase()))
    .map((used) => ({
      path: [key, 'message'],
      text: `found the unknown placeholder ${quote(`$${used}$`)}; expected ${expected}`,
    }));
}

/** The messages that the language lacks and another one has. */
function findMissing(name: string, languages: Readonly<Record<string, MessagesFile>>): Mistake[] {
  const own = languages[name] ?? {};
  const others = Object.entries(languages).flatMap(([language, messages]) =>
    Object.keys(messages).map((key) => [key, language] as const),
  );
  // English comes last, so that it is named where it has the message.
  const sources = new Map([...others, ...others.filter(([, language]) => language === 'en')]);
  return [...sources]
    .filter(([key]) => !Object.hasOwn(own, key))
    .map(([key, source]) => ({ path: [key], text: `missing; translate it from ${toFile(source)}` }));
}
