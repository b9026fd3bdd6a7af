// The small schemas read as those of valibot do, whose words they use.

import * as v from 'valibot';
import * as shape from '../../src/session/shape.ts';
import { describe, expect, test } from 'vitest';
import { profileSchema } from '../../src/session/view.ts';
import { fc, manyRuns } from '../support/property.ts';

const { string, number, boolean } = shape;

type Pair = readonly [name: string, schema: shape.Schema<unknown>, original: v.GenericSchema];

const pairs: readonly Pair[] = [
  ['a text', string(), v.string()],
  ['a number', number(), v.number()],
  ['a truth value', boolean(), v.boolean()],
  ['one text', shape.literal('one'), v.literal('one')],
  ['one number', shape.literal(1), v.literal(1)],
  ['true', shape.literal(true), v.literal(true)],
  ['a finite number', shape.pipe(number(), Number.isFinite), v.pipe(v.number(), v.finite())],
  ['a word', shape.picklist(['one', 'two']), v.picklist(['one', 'two'])],
  ['a text or null', shape.nullable(string()), v.nullable(v.string())],
  ['texts', shape.array(string()), v.array(v.string())],
  [
    'a text of up to three letters',
    shape.pipe(string(), shape.maxLength(3), shape.regex(/^[a-z]+$/)),
    v.pipe(v.string(), v.maxLength(3), v.regex(/^[a-z]+$/)),
  ],
  ['a number or a text', shape.union([number(), string()]), v.union([v.number(), v.string()])],
  [
    'an object',
    shape.object({ one: string(), two: shape.exactOptional(number()), three: shape.optional(boolean()) }),
    v.object({ one: v.string(), two: v.exactOptional(v.number()), three: v.optional(v.boolean()) }),
  ],
  [
    'an object without other members',
    shape.strictObject({ one: string(), two: shape.optional(shape.nullable(number())) }),
    v.strictObject({ one: v.string(), two: v.optional(v.nullable(v.number())) }),
  ],
  [
    'one of two objects',
    shape.union([shape.object({ one: shape.literal('one') }), shape.object({ two: shape.array(number()) })]),
    v.union([v.object({ one: v.literal('one') }), v.object({ two: v.array(v.number()) })]),
  ],
];

const loosePairs: readonly Pair[] = [
  [
    'an object and its other members',
    shape.looseObject({ one: string(), two: shape.exactOptional(number()) }),
    v.looseObject({ one: v.string(), two: v.exactOptional(v.number()) }),
  ],
  ['an object of any members', shape.looseObject({}), v.looseObject({})],
];

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

const toCase = (pair: Pair, inputs: fc.Arbitrary<unknown>): [...Pair, fc.Arbitrary<unknown>] => [
  ...pair,
  inputs,
];

describe.each([
  ...pairs.map((pair) => toCase(pair, values)),
  ...loosePairs.map((pair) => toCase(pair, valuesWithout)),
])('%s', (_name, schema, original, inputs) => {
  test('is read as valibot reads it', () => {
    fc.assert(
      fc.property(inputs, (value) => {
        const result = v.safeParse(original, value);
        expect(shape.read(schema, value)).toEqual(result.success ? result.output : null);
      }),
      { numRuns: manyRuns },
    );
  });
});

test('an object has no member that every object has', () => {
  const schema = shape.strictObject({ one: number() });
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
  const schema = shape.object({ one: number(), two: number() });
  expect(JSON.stringify(shape.read(schema, { three: 3, two: 2, one: 1 }))).toBe('{"one":1,"two":2}');
});
