// Schemas for what a page reads, and for what Latchkey has stored. They have valibot's names, but only the parts that are needed,
// without messages and reasons: valibot itself would be a tenth of what the popup loads, not counting React.

/** A schema returns this for a value that doesn't fit. */
const mismatch = Symbol('mismatch');

/** Reads a value, without the members that it doesn't know. Never throws. */
export type Schema<T> = (value: unknown) => T | typeof mismatch;

/** A member that may be missing. */
type Optional<T> = Schema<T> & { readonly mayBeMissing: true };

export type InferOutput<S> = S extends (value: unknown) => infer T ? Exclude<T, typeof mismatch> : never;

type Members = Readonly<Record<string, Schema<unknown>>>;
type MissingKey<M extends Members> = {
  [K in keyof M]: M[K] extends { readonly mayBeMissing: true } ? K : never;
}[keyof M];
type ObjectOf<M extends Members> = {
  [K in Exclude<keyof M, MissingKey<M>>]: InferOutput<M[K]>;
} & { [K in MissingKey<M>]?: InferOutput<M[K]> };

/** Whether a value is an object, and not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads `value`; null if it doesn't fit. */
export function read<T>(schema: Schema<T>, value: unknown): T | null {
  const result = schema(value);
  return result === mismatch ? null : result;
}

/** A value that `fits`. */
export function custom<T>(fits: (value: unknown) => boolean): Schema<T> {
  return (value) => (fits(value) ? (value as T) : mismatch);
}

const typed = <T>(type: string): Schema<T> => {
  // oxlint-disable-next-line valid-typeof -- one of the three below
  return (value) => (typeof value === type && !Number.isNaN(value) ? (value as T) : mismatch);
};

const oneOf = <T>(values: readonly unknown[]): Schema<T> => {
  return (value) => (values.includes(value) ? (value as T) : mismatch);
};

export const string = () => typed<string>('string');

/** Any number but NaN. */
export const number = () => typed<number>('number');

export const boolean = () => typed<boolean>('boolean');

export const literal = <const T extends string | number | boolean>(one: T) => oneOf<T>([one]);

export const picklist = <const T extends string>(words: readonly T[]) => oneOf<T>(words);

/** A schema whose value passes all checks. */
export const pipe = <T>(schema: Schema<T>, ...checks: readonly ((value: T) => boolean)[]): Schema<T> => {
  return (value) => {
    const result = schema(value);
    return result !== mismatch && checks.every((check) => check(result)) ? result : mismatch;
  };
};

export const maxLength = (length: number) => (text: string) => text.length <= length;
export const regex = (pattern: RegExp) => (text: string) => pattern.test(text);

export const nullable = <T>(schema: Schema<T>): Schema<T | null> => {
  return (value) => (value === null ? null : schema(value));
};

/** A member that is missing or fits. */
export const exactOptional = <T>(schema: Schema<T>): Optional<T> =>
  Object.assign((value: unknown) => schema(value), { mayBeMissing: true as const });

/** The same, and undefined counts as missing. */
export const optional = <T>(schema: Schema<T>): Optional<T | undefined> =>
  exactOptional((value) => (value === undefined ? undefined : schema(value)));

export const array = <T>(schema: Schema<T>): Schema<T[]> => {
  return (value) => {
    if (!Array.isArray(value)) return mismatch;
    const items: T[] = [];
    for (const given of value as readonly unknown[]) {
      const item = schema(given);
      if (item === mismatch) return mismatch;
      items.push(item);
    }
    return items;
  };
};

/** The first schema that fits. */
export const union = <const S extends readonly Schema<unknown>[]>(
  schemas: S,
): Schema<InferOutput<S[number]>> => {
  return (value) => {
    for (const schema of schemas) {
      const result = schema(value);
      if (result !== mismatch) return result as InferOutput<S[number]>;
    }
    return mismatch;
  };
};

const objectWith = <M extends Members>(members: M, others: 'dropped' | 'kept' | 'refused') => {
  return (value: unknown) => {
    if (typeof value !== 'object' || value === null) return mismatch;
    const given = value as Readonly<Record<string, unknown>>;
    const result: Record<string, unknown> = others === 'kept' ? { ...given } : {};
    for (const [key, schema] of Object.entries(members)) {
      if (key in given) {
        const member = schema(given[key]);
        if (member === mismatch) return mismatch;
        result[key] = member;
      } else if (!('mayBeMissing' in schema)) return mismatch;
    }
    if (others === 'refused')
      for (const key of Object.keys(given)) if (!Object.hasOwn(members, key)) return mismatch;
    return result as ObjectOf<M>;
  };
};

/** An object with these members. Others are left out of the result, whose members are in the order of the schema. */
export const object = <const M extends Members>(members: M): Schema<ObjectOf<M>> =>
  objectWith(members, 'dropped');

/** An object with these members. The others are carried along. */
export const looseObject = <const M extends Members>(
  members: M,
): Schema<ObjectOf<M> & Readonly<Record<string, unknown>>> => objectWith(members, 'kept');

/** An object with these members and no others. */
export const strictObject = <const M extends Members>(members: M): Schema<ObjectOf<M>> =>
  objectWith(members, 'refused');
