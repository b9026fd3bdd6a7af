// Schemas of objects and lists, whose mistakes say what the configuration expects.

import * as v from 'valibot';

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
