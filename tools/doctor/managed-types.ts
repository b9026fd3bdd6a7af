// The values that Chrome and Edge do not hand over to an extension: those of other types than its schema of policies has.
// They leave out a whole list with such a value in it, and say nothing to the extension.

import { join, resolve } from 'node:path';
import { formatPath, type Path } from '../../src/config/config-error.ts';
import { describe } from '../../src/config/describe.ts';
import { isObject } from '../../src/config/object-schema.ts';
import { readJson } from '../build/read-text.ts';

const root = resolve(import.meta.dirname, '../..');
const schemaFile = 'src/public/managed-schema.json';

/** A schema as Chromium understands it. */
interface ManagedSchema {
  readonly type: string;
  readonly properties?: Readonly<Record<string, ManagedSchema>>;
  readonly additionalProperties?: ManagedSchema;
  readonly items?: ManagedSchema;
}

/**
 * One line for each value of `policy` that has another type than the schema, beginning with its path. A key that the schema
 * does not have is left to the reader of the policy. Throws a `FileError` if the schema cannot be read.
 */
export function findWrongTypes(policy: unknown): readonly string[] {
  const schema = readJson(join(root, schemaFile), schemaFile) as ManagedSchema;
  return findIn(policy, schema, []).map(
    ([path, value, type]) =>
      `${formatPath(path) || 'policy'}: ${describe(value)}; Chrome and Edge hand over only ${article(type)} here, and leave out ` +
      'the whole list in which it stands; write the policy as one text in "json"',
  );
}

type WrongType = readonly [path: Path, value: unknown, type: string];

function findIn(value: unknown, schema: ManagedSchema, path: Path): readonly WrongType[] {
  if (!hasType(value, schema.type)) return [[path, value, schema.type]];
  const { items } = schema;
  if (Array.isArray(value)) {
    return items === undefined ? [] : value.flatMap((item, index) => findIn(item, items, [...path, index]));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const known = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined;
    // Where keys are listed, the schema of all others is for mistakes.
    const own = known ?? (schema.properties === undefined ? schema.additionalProperties : undefined);
    return own === undefined ? [] : findIn(member, own, [...path, key]);
  });
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function article(type: string): string {
  if (type === 'string') return 'a text';
  return type === 'array' ? 'a list' : /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}
