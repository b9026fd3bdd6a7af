// Generates the JSON Schema for editors: the structure of the reader's schema, with the comment above each key, which editors
// show.

import { toJsonSchema } from '@valibot/to-json-schema';
import { reservedParameters } from '../../src/config/keys.ts';
import { configSchema, providerEntries } from '../../src/config/schema.ts';
import { findComment } from './setting-comments.ts';

/**
 * Returns the JSON Schema of a configuration. Rules that exist only as code are checked by the reader alone.
 */
export function toConfigJsonSchema(): JsonSchema {
  const { $schema, ...form } = toJsonSchema(configSchema(), {
    typeMode: 'output',
    ignoreActions: ['check'],
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (!('entries' in valibotSchema)) return jsonSchema;
      const { entries } = valibotSchema;
      const properties = Object.entries(jsonSchema.properties ?? {}).map(([key, property]) => [
        key,
        { description: findComment(entries, key), ...withHints(key, property as JsonSchema) },
      ]);
      const object = {
        ...jsonSchema,
        properties: Object.fromEntries(properties),
        additionalProperties: false,
      };
      return entries === providerEntries() ? withProfile(object) : object;
    },
  });
  return {
    $schema,
    $comment: 'Generated from schema.ts by tests/config/schema.test.ts.',
    title: 'Latchkey configuration',
    ...form,
  };
}

/** A profile may have the issuer. */
function withProfile({ required = [], ...object }: JsonSchema): JsonSchema {
  return {
    ...object,
    required: required.filter((key) => key !== 'issuer'),
    anyOf: [{ required: ['issuer'] }, { required: ['profile'] }],
  };
}

const originPattern = '^https?://[^/?#@*]+$';

type JsonSchema = ReturnType<typeof toJsonSchema>;

/** Adds approximations of rules that exist only as code, so that editors can warn early. */
function withHints(key: string, property: JsonSchema): JsonSchema {
  if (/(^issuer|_endpoint|_uri|Url)$/.test(key)) return { ...property, format: 'uri' };
  if (/origins$/i.test(key)) return { ...property, items: { type: 'string', pattern: originPattern } };
  if (key !== 'authorizationParameters') return property;
  const notReserved = { not: { enum: Object.keys(reservedParameters) } };
  return { ...property, propertyNames: { ...(property.propertyNames as JsonSchema), ...notReserved } };
}
