// Schemas of texts, lists and objects, whose mistakes say what the configuration expects.

import * as v from 'valibot';
import { isObject } from '../session/shape.ts';
import { explainUnknown } from './keys.ts';
import { checkOrigin } from './url.ts';
import { describeInvisible } from './visible.ts';

/** The longest text of a configuration, in UTF-16 code units. Most of them become part of a URL. */
const maxTextLength = 2000;

/** A text of this form. */
export function matching(pattern: RegExp, expected: string) {
  return v.pipe(text(expected), v.regex(pattern, expected));
}

/** A text on one line, as every text is: a line break is an invisible character. `what` names it. */
export function line(what: string, max: number) {
  const expected = `${what}, 1 to ${max} characters on one line`;
  return v.pipe(text(expected), v.regex(/^\S(.*\S)?$/, expected), v.maxLength(max, expected));
}

/** One of these words. */
export function picklist<const Words extends readonly string[]>(words: Words) {
  const quoted = words.map((word) => `"${word}"`);
  return v.picklist(words, `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`);
}

/** One of these words; by default the first. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return v.optional(picklist(words), words[0] as Words[0]);
}

/** A text that passes `check`, which returns null or what was expected. */
export function checkedString(expected: string, check: (text: string) => string | null) {
  return v.pipe(text(expected), checkWith(check));
}

export const origin = () => checkedString('an origin, such as "https://api.example.com"', checkOrigin);

/** A text of limited length, without invisible characters. */
export function text(expected: string) {
  return v.pipe(v.string(expected), checkWith(checkReadable));
}

function checkReadable(written: string): string | null {
  if (written.length > maxTextLength) return `at most ${maxTextLength} characters`;
  const found = describeInvisible(written);
  return found && `visible characters only, but ${found}`;
}

function checkWith(check: (text: string) => string | null) {
  return v.check(
    (written: string) => check(written) === null,
    ({ input }) => check(input) ?? '',
  );
}

export function listOf<const Item extends v.GenericSchema>(
  item: Item,
  min: number,
  max: number,
  expected: string,
) {
  return v.pipe(v.array(item, expected), v.minLength(min, expected), v.maxLength(max, expected));
}

export function object<const Entries extends v.ObjectEntries>(expected: string, entries: Entries) {
  return v.pipe(
    plainObject(expected),
    // Describes a missing value like a wrong one. A setting that is required has a message.
    v.object(entries, ({ path }) => (entries[String(path?.[0].key)] as v.StringSchema<string>).message),
  );
}

/** The same, which refuses every other key. */
export function strictObject<const Entries extends v.ObjectEntries>(expected: string, entries: Entries) {
  const known = Object.keys(entries).filter((key) => !isNever(entries[key]));
  return withKeys(object(expected, entries), (key) =>
    Object.hasOwn(entries, key) ? null : explainUnknown(key, known),
  );
}

/** Whether the key is there for its message alone. */
function isNever(entry: v.ObjectEntries[string] | undefined): boolean {
  return entry !== undefined && 'wrapped' in entry && entry.wrapped.type === 'never';
}

/** An object with a `value` under each name. `refuse` says why a name is refused that has the form of `name`. */
export function record<Value extends v.GenericSchema>(
  expected: string,
  name: v.GenericSchema<string, string>,
  value: Value,
  refuse: (name: string) => string | null = () => null,
) {
  // Valibot would silently drop these.
  const isDropped = (key: string) => ['__proto__', 'constructor', 'prototype'].includes(key);
  return withKeys(v.pipe(plainObject(expected), v.record(name, value)), (key) =>
    isDropped(key) ? 'refused: this name has a meaning in JavaScript' : refuse(key),
  );
}

/** The type of an issue of a key. Its message is whole. */
export const refusedKey = 'refused_key';

/**
 * The same schema, with an issue for each key that `refuse` explains. The strict objects of valibot report only the first
 * unknown key, and its records drop some.
 */
function withKeys<Schema extends v.GenericSchema>(
  schema: Schema,
  refuse: (key: string) => string | null,
): Schema {
  const run: Schema['~run'] = (dataset, config) => {
    const { value } = dataset;
    const refused = Object.keys(isObject(value) ? value : {}).flatMap((key): v.BaseIssue<unknown>[] => {
      const message = refuse(key);
      const path = [{ type: 'unknown', origin: 'key', input: value, key, value: undefined }] as const;
      const issue = {
        kind: 'validation',
        type: refusedKey,
        input: key,
        expected: null,
        received: 'key',
      } as const;
      return message === null ? [] : [{ ...issue, message, path: [...path] }];
    });
    const result = schema['~run'](dataset, config);
    const issues = [...refused, ...(result.issues ?? [])];
    return Object.assign(result, issues.length > 0 && { issues });
  };
  return { ...schema, '~run': run };
}

/** Unlike `v.object`, rejects arrays. */
function plainObject(expected: string) {
  return v.custom<Readonly<Record<string, unknown>>>(isObject, expected);
}

/** A member of an object; undefined if it has none, or isn't an object. */
export function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
