// Schemas of texts, lists and objects, whose mistakes say what the configuration expects.

import * as v from 'valibot';
import { checkOrigin } from './url.ts';
import { describeInvisible } from './visible.ts';

/** The longest text of a configuration, in UTF-16 code units. Most of them become part of a URL. */
const maxTextLength = 2000;

/** A text of this form. */
export function matching(pattern: RegExp, expected: string) {
  return v.pipe(text(expected), v.regex(pattern, expected));
}

/** A text that `check` finds no fault with; it returns what was expected. */
export function checkedString(expected: string, check: (text: string) => string | null) {
  return v.pipe(text(expected), checkWith(check));
}

export const origin = () => checkedString('an origin, such as "https://api.example.com"', checkOrigin);

/** A text that a person can read as it is. */
export function text(expected: string) {
  return v.pipe(v.string(expected), checkWith(checkReadable));
}

function checkReadable(written: string): string | null {
  if (written.length > maxTextLength) return `at most ${maxTextLength} characters`;
  const found = describeInvisible(written);
  return found && `visible characters only, but ${found}`;
}

function checkWith(check: (text: string) => string | null) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const expectation = dataset.typed ? check(dataset.value) : null;
    if (expectation !== null) addIssue({ message: expectation });
  });
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
    v.object(entries, ({ path }) => expectedAt(entries, path?.[0].key)),
  );
}

/** Describes a missing value like a wrong one. */
function expectedAt(entries: v.ObjectEntries, key: unknown): string {
  const entry = typeof key === 'string' ? entries[key] : undefined;
  return entry !== undefined && 'message' in entry && typeof entry.message === 'string'
    ? entry.message
    : 'a value';
}

/** Unlike `v.object`, rejects arrays. */
export function plainObject(expected: string) {
  return v.custom<Readonly<Record<string, unknown>>>(isObject, expected);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
