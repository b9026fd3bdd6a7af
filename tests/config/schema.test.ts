// Keeps src/config/schema.json and src/public/managed-schema.json in step with the reader, and docs/configuration-reference.md with
// them. After changing a schema or a description, update the two with `npx vitest run --project unit tests/config -u`.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { expect, test } from 'vitest';
import { toConfigJsonSchema } from '../support/json-schema.ts';
import { toManagedSchema } from '../support/managed-schema.ts';
import { acme, readConfig, withAcme } from '../support/samples.ts';

const root = resolve(import.meta.dirname, '../..');

test.each([
  ['src/config/schema.json', () => JSON.stringify(toConfigJsonSchema())],
  ['src/public/managed-schema.json', () => JSON.stringify(toManagedSchema())],
])('%s says what the schema of the reader says', async (file, generate) => {
  const path = resolve(root, file);
  const style = JSON.parse(await readFile(resolve(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const { code } = await format(path, generate(), style);
  await expect(code).toMatchFileSnapshot(path);
});

test('the managed schema has no word that Chromium does not know', () => {
  const words = [...JSON.stringify(toManagedSchema()).matchAll(/"(\$?\w+)":/g)].map(([, word]) => word);
  for (const word of ['anyOf', 'oneOf', 'allOf', 'not', 'const', 'nullable', '$schema', 'pattern'])
    expect(words).not.toContain(word);
});

test('the patterns of the JSON Schema are valid with the Unicode flag, which editors set', () => {
  const patterns = [...JSON.stringify(toConfigJsonSchema()).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
  expect(patterns.length).toBeGreaterThan(5);
  for (const [, pattern = ''] of patterns) {
    expect(() => new RegExp(JSON.parse(pattern) as string, 'u')).not.toThrow();
  }
});

/** An object of settings, in JSON Schema. */
interface Settings {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Setting>>;
}

interface Setting extends Settings {
  readonly description?: string;
  readonly default?: unknown;
  readonly items?: Settings;
  readonly anyOf?: readonly Settings[];
}

const withoutQuotes = (text = '') => text.replaceAll(/[`"]/g, '');
const parse = (code: string | undefined) => (code === undefined ? null : (JSON.parse(code) as unknown));

const page = readFileSync(resolve(root, 'docs/configuration-reference.md'), 'utf8');

/** The settings below a heading of the page, each with its members. */
function readPage(heading: string) {
  const part = page.split(/^## /m).find((one) => one.startsWith(heading)) ?? '';
  return part
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [, name, text] = /^`(.*)`\n\n(.*)/.exec(section) ?? [];
      const lines = new Map(
        Array.from(section.matchAll(/^- \*\*(\w+)\*\*: (.*)$/gm), ([, label, value]) => [
          label,
          value?.replaceAll('`', ''),
        ]),
      );
      const members = section.matchAll(/^- `(\w+)`( \(required\))?(?: \(default `(.*?)`\))?: (.*)$/gm);
      return {
        name,
        text: withoutQuotes(text),
        isRequired: lines.get('Required') === 'yes',
        default: parse(lines.get('Default')),
        isForPolicies: lines.get('Policy') !== 'no',
        members: Array.from(members, ([, member, isRequired, value, words]) => ({
          name: member,
          text: withoutQuotes(words),
          isRequired: isRequired !== undefined,
          default: parse(value),
        })),
      };
    });
}

/** The same of a schema. */
function readSchema({ properties = {}, required = [] }: Settings) {
  return Object.entries(properties)
    .filter(([name]) => name !== '$schema')
    .map(([name, setting]) => ({
      name,
      text: withoutQuotes(setting.description),
      isRequired: required.includes(name),
      default: JSON.stringify(setting.default) === '{}' ? null : (setting.default ?? null),
    }));
}

const schema = toConfigJsonSchema() as Settings;
const managed: Settings = toManagedSchema();

test.each<[string, Settings, Settings]>([
  ['Top level', schema, managed],
  ['A provider', schema.properties!['providers']!.items!, managed.properties!['providers']!.items!],
])(
  'docs/configuration-reference.md says of each setting under "%s" what the schemas say',
  (heading, object, ofPolicies) => {
    const expected = readSchema(object).map((facts) => {
      const setting = object.properties?.[facts.name] ?? {};
      return {
        ...facts,
        isForPolicies: facts.name in (ofPolicies.properties ?? {}),
        members: readSchema(setting.anyOf?.[0] ?? setting),
      };
    });
    expect(readPage(heading)).toEqual(expected);
  },
);

const examples = [...page.matchAll(/^- \*\*Example\*\*: `(.*)`$/gm)].map(([, members]) => members);

test.each(examples)('the reader accepts the example of docs/configuration-reference.md %s', (members) => {
  const example = JSON.parse(`{${members}}`) as object;
  const isOfProvider = Object.keys(example).every((key) => schema.properties?.[key] === undefined);
  const { providers } = readConfig(isOfProvider ? withAcme(example) : { providers: [acme], ...example });
  expect(providers).toHaveLength(1);
});
