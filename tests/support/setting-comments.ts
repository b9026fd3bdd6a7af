// Reads the comment above each setting in the schemas of the configuration and of a policy.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { logoutEntries, metadataEntries, userApiEntries } from '../../src/config/endpoint-schema.ts';
import { policyEntries } from '../../src/config/policy-schema.ts';
import { apiEntries } from '../../src/config/request-schema.ts';
import { configEntries, providerEntries, supportEntries } from '../../src/config/schema.ts';

/** The names of the constants that hold settings, each before the source from there to the next one. */
const parts = ['schema', 'request-schema', 'endpoint-schema', 'policy-schema']
  .map((name) => readFileSync(resolve(import.meta.dirname, `../../src/config/${name}.ts`), 'utf8'))
  .join('\n')
  .split(/^(?:export )?const (\w+Entries) = /m);

type Comments = ReadonlyMap<string, string>;

/** The comments in the objects of these constants, and after them, by the key or constant that follows each. */
function readComments(...constants: readonly string[]): Comments {
  const text = constants.map((constant) => parts[parts.indexOf(constant) + 1]).join('');
  const found = text.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export const )?([$\w]+)/g);
  return new Map([...found].map(([, comment = '', key = '']) => [key, toLine(comment)]));
}

function toLine(comment: string): string {
  return comment
    .replaceAll(/^ *\* ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const comments = new Map<unknown, Comments>([
  [configEntries(), readComments('configEntries')],
  [providerEntries(), readComments('clientEntries', 'requestEntries', 'answerEntries', 'endpointEntries')],
  [metadataEntries(), readComments('metadataEntries')],
  [logoutEntries(), readComments('logoutEntries')],
  [userApiEntries(), readComments('userApiEntries')],
  [apiEntries(), readComments('apiEntries')],
  [policyEntries(), readComments('policyEntries')],
  [supportEntries(), readComments('supportEntries')],
]);

/** Returns the comment above `key` in an object of the schemas, such as `configEntries()`. Throws if there is none. */
export function findComment(entries: unknown, key: string): string {
  const comment = comments.get(entries)?.get(key);
  if (!comment) throw new Error(`"${key}" has no comment in src/config that describes it.`);
  return comment;
}
