// The small schemas read as those of valibot do, whose words they use.

import * as v from 'valibot';
import * as shape from '../../src/session/shape.ts';
import { expect, test } from 'vitest';
import { profileSchema } from '../../src/session/view.ts';
import { fc, manyRuns } from '../support/property.ts';

/** Makes a schema with our library, or with valibot, which has the same words. */
type Make = (library: typeof shape) => shape.Schema<unknown>;

const schemas: Readonly<Record<string, Make>> = {
  'a text': (l) => l.string(),
  'a number': (l) => l.number(),
  'a truth value': (l) => l.boolean(),
  'one text': (l) => l.literal('one'),
  'one number': (l) => l.literal(1),
  true: (l) => l.literal(true),
  'a word': (l) => l.picklist(['one', 'two']),
  'a text or null': (l) => l.nullable(l.string()),
  texts: (l) => l.array(l.string()),
  'a text of up to three letters': (l) => l.pipe(l.string(), l.maxLength(3), l.regex(/^[a-z]+$/)),
  'a number or a text': (l) => l.union([l.number(), l.string()]),
  'an object': (l) =>
    l.object({ one: l.string(), two: l.exactOptional(l.number()), three: l.optional(l.boolean()) }),
  'an object without other members': (l) =>
    l.strictObject({ one: l.string(), two: l.optional(l.nullable(l.number())) }),
  'one of two objects': (l) =>
    l.union([l.object({ one: l.literal('one') }), l.object({ two: l.array(l.number()) })]),
};

const looseSchemas: Readonly<Record<string, Make>> = {
  'an object and its other members': (l) =>
    l.looseObject({ one: l.string(), two: l.exactOptional(l.number()) }),
  'an object of any members': (l) => l.looseObject({}),
};

const simple = fc.oneof(
  fc.constantFrom('one', 'two', 'ab', 'abcd', '', 1, 0, NaN, Infinity, true, false, null, undefined),
  fc.array(fc.constantFrom(1, 'one', undefined), { maxLength: 3 }),
);
const member = fc.constantFrom('one', 'two', 'three', 'four');
const values = fc.oneof(
  simple,
  fc.dictionary(member, simple),
  fc.anything({ withSparseArray: true, withNullPrototype: true }),
);

/** Valibot leaves these out of the members that it carries along. */
const leftOut = ['__proto__', 'prototype', 'constructor'];
const valuesWithout = values.filter((value) => !leftOut.some((name) => Object.hasOwn(Object(value), name)));

const cases = (all: typeof schemas, inputs: fc.Arbitrary<unknown>) =>
  Object.entries(all).map(([what, make]) => [what, make, inputs] as const);

test.each([...cases(schemas, values), ...cases(looseSchemas, valuesWithout)])(
  '%s is read as valibot reads it',
  (_what, make, inputs) => {
    const [schema, original] = [make(shape), make(v as never) as unknown as v.GenericSchema];
    fc.assert(
      fc.property(inputs, (value) => {
        const result = v.safeParse(original, value);
        expect(shape.read(schema, value)).toEqual(result.success ? result.output : null);
      }),
      { numRuns: manyRuns },
    );
  },
);

test('a number may have to be finite', () => {
  const finite = shape.pipe(shape.number(), Number.isFinite);
  expect([1.5, Infinity, NaN, '1'].map((value) => shape.read(finite, value))).toEqual([
    1.5,
    null,
    null,
    null,
  ]);
});

test('an object has no member that every object has', () => {
  const schema = shape.strictObject({ one: shape.number() });
  expect(shape.read(schema, { one: 1, toString: 1 })).toBeNull();
});

test('a stored profile is read whole', () => {
  const stored = {
    providerId: 'demo',
    issuer: 'https://id.example/1',
    subject: 'ada',
    name: null,
    email: 'ada@example.com',
    emailVerified: true,
    picture: null,
  };
  expect(shape.read(profileSchema, { ...stored, more: 1 })).toEqual(stored);
  const { emailVerified: _missing, ...incomplete } = stored;
  expect(shape.read(profileSchema, incomplete)).toBeNull();
});

test('the members of an object are in the order of the schema, and others are left out', () => {
  const schema = shape.object({ one: shape.number(), two: shape.number() });
  expect(JSON.stringify(shape.read(schema, { three: 3, two: 2, one: 1 }))).toBe('{"one":1,"two":2}');
});
