// Generates the managed schema for Chromium, which knows only a part of JSON Schema: one type for each value, no null, no
// choice. A browser leaves out a value of another type, and says nothing to the extension.

import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { policyEntries, policyTextKey } from '../../src/config/policy-schema.ts';
import { object } from '../../src/config/value-schema.ts';
import { providerEntries } from '../../src/config/schema.ts';
import { findComment } from './setting-comments.ts';

/** A schema as Chromium understands it. */
export interface ManagedSchema {
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ManagedSchema>>;
  readonly additionalProperties?: ManagedSchema;
  readonly items?: ManagedSchema;
}

type JsonSchema = ReturnType<typeof toJsonSchema>;

/** An unknown key arrives if its value is a text, so that the reader can refuse it by name. */
const unknownKeys: ManagedSchema = { type: 'string' };

/** Returns the managed schema. The reader of the extension checks everything but the types. */
export function toManagedSchema(): ManagedSchema {
  const policy = withDescriptions(toManaged(toPlainSchema(object('', policyEntries()))), policyEntries());
  const { providers } = policy.properties ?? {};
  const properties = {
    ...policy.properties,
    providers: { ...providers!, items: withDescriptions(providers!.items!, providerEntries()) },
    [policyTextKey]: { type: 'string', description: findComment(policyEntries(), 'policyTextKey') },
  };
  return { type: 'object', properties, title: 'Policy' };
}

function toPlainSchema(schema: GenericSchema): JsonSchema {
  return toJsonSchema(schema, {
    typeMode: 'output',
    ignoreActions: ['check', 'regex'],
    errorMode: 'ignore',
  });
}

function withDescriptions(schema: ManagedSchema, entries: object): ManagedSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([key, property]) => [
    key,
    { ...property, description: findComment(entries, key) },
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Keeps only the types. From a choice of types it keeps the first that can hold the most; the text `json` can hold all. */
function toManaged(schema: JsonSchema): ManagedSchema {
  const choices = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
  if (choices !== undefined) {
    const kinds = choices.map(toManaged);
    const [first] = kinds
      .filter(({ type }) => type !== 'null')
      .toSorted((one, other) => rank(one) - rank(other));
    if (first === undefined) throw new Error('A choice of a managed schema has no type.');
    return first;
  }
  const type =
    typeof schema.type === 'string' ? schema.type : typeof (schema.const ?? schema.enum?.[0] ?? {});
  const { properties, items, additionalProperties } = schema;
  switch (type) {
    case 'object': {
      if (properties === undefined && typeof additionalProperties === 'object')
        return { type, additionalProperties: toManaged(additionalProperties) };
      // What only the build can set is left out.
      const members = Object.entries(properties ?? {}).flatMap(([key, one]) =>
        (one as JsonSchema).not === undefined ? [[key, toManaged(one as JsonSchema)] as const] : [],
      );
      return { type, properties: Object.fromEntries(members), additionalProperties: unknownKeys };
    }
    case 'array':
      return { type, items: toManaged(items as JsonSchema) };
    case 'number':
      return { type: 'integer' };
    default:
      return { type };
  }
}

/** Lists can hold more than texts, and texts more than numbers. */
function rank({ type }: ManagedSchema): number {
  return ['object', 'array', 'string', 'integer', 'boolean', 'null'].indexOf(type);
}
