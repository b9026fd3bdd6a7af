// Generates the reference of the configuration: the settings with their descriptions, defaults and members from the JSON Schema
// for editors, examples and links from the comments, and the expected values in the reader's own words.

import { relative } from 'node:path/posix';
import { configEntries, providerEntries } from '../../src/config/schema.ts';
import { toAnchor } from './anchor.ts';
import { toConfigJsonSchema } from './json-schema.ts';
import { findComment } from './setting-comments.ts';
import {
  acme,
  findConfigUse,
  findProviderUse,
  flows,
  type FlowName,
  type PolicyUse,
  type Use,
} from './setting-uses.ts';
import { problemsOf } from './samples.ts';

/** The part of a JSON Schema that the page shows. */
interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
}

/** An object of settings. */
interface Level {
  readonly object: JsonSchema;
  readonly entries: object;
  /** A configuration with the given settings of this object. */
  readonly toConfig: (settings: object) => object;
  readonly findUse: (name: string, example: Readonly<Record<string, unknown>>) => Use;
}

const schema = toConfigJsonSchema() as JsonSchema;

const topLevel: Level = {
  object: schema,
  entries: configEntries(),
  toConfig: (settings) => ({ providers: [acme], ...settings }),
  findUse: findConfigUse,
};

const providerLevel: Level = {
  object: schema.properties?.['providers']?.items ?? {},
  entries: providerEntries(),
  toConfig: (settings) => ({ providers: [{ ...acme, ...settings }] }),
  findUse: findProviderUse,
};

/** Returns the text of docs/configuration-reference.md, not yet formatted. */
export function toReferencePage(): string {
  return [
    '# Configuration reference',
    '[Documentation](README.md) / Reference',
    '<!-- Generated from the schemas in src/config by tests/config/schema.test.ts. -->',
    'Every setting of `src/config.json`. [Connect a provider](configuration.md) explains how they work together. With ' +
      '`"$schema": "./config/schema.json"` at the top of the file, editors complete and check the settings.',
    "Unless a setting says otherwise, it's optional, has no default, matters in every [flow](configuration.md#which-flow), and " +
      'may be set in a [managed policy](policy-reference.md#what-a-policy-may-set).',
    '## Top level',
    ...toSections(topLevel),
    '## A provider',
    'The keys of each object in `providers`. Most providers need `id`, `name`, `issuer` and `clientId` only.',
    ...toSections(providerLevel),
    '**Next**: [Doctor](doctor.md)',
  ].join('\n\n');
}

function toSections({ object, entries, toConfig, findUse }: Level): string[] {
  return Object.entries(object.properties ?? {}).flatMap(([name, setting]) => {
    if (name === '$schema') return [];
    const { example, more } = findComment(entries, name);
    const members = JSON.parse(`{${example ?? ''}}`) as Readonly<Record<string, unknown>>;
    const use = findUse(name, members);
    if (example === null || !(name in members) || use.flows.length === 0)
      throw new Error(`"${name}" has no example in src/config that the reader accepts.`);
    const { description = '', anyOf: [form = setting] = [] } = setting;
    const expected = findExpectation(name, toConfig({ [name]: setting.type === 'boolean' ? 0 : true }));
    const lines: readonly (readonly [label: string, text: string | null])[] = [
      ['Value', isDescribed(expected, description) ? null : toText(expected)],
      ['Example', isPlain(members) || expected.includes('such as') ? null : toCode(example)],
      ['Default', findDefault(object, name)],
      ['Required', findNeed(object, name)],
      ['Flow', use.flows.length === flows.length ? null : toFlows(use.flows)],
      ['Policy', use.policy === 'yes' ? null : policyWords[use.policy]],
      ['More', more === null ? null : toLink(more)],
    ];
    return [
      `### ${toCode(name)}`,
      toText(description),
      lines.flatMap(([label, text]) => (text === null ? [] : [`- **${label}**: ${text}`])).join('\n'),
      ...(form.properties === undefined ? [] : [toMembers(form)]),
    ];
  });
}

function toMembers(object: JsonSchema): string {
  const lines = Object.entries(object.properties ?? {}).map(([name, { description = '' }]) => {
    const value = findDefault(object, name);
    const notes = [
      ...(findNeed(object, name) === null ? [] : ['required']),
      ...(value === null ? [] : [`default ${value}`]),
    ];
    return `- ${[toCode(name), ...notes.map((note) => `(${note})`)].join(' ')}: ${toText(description)}`;
  });
  return ['Its members:', lines.join('\n')].join('\n\n');
}

/** Whether the description names each of the values, and nothing else is expected. */
function isDescribed(expected: string, description: string): boolean {
  const values = expected.match(/"[^"]*"/g) ?? [];
  const rest = expected.replaceAll(/"[^"]*"/g, '').replaceAll(/,| or /g, '');
  return values.length > 0 && rest.trim() === '' && values.every((value) => description.includes(value));
}

/** Whether an example shows no more than the name of the setting and a single value. */
function isPlain(members: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(members);
  return values.length === 1 && typeof values[0] !== 'object';
}

/** The words with which the reader says what it expected in place of a value that fits no setting. */
function findExpectation(name: string, wrong: object): string {
  const line = problemsOf(wrong).find((problem) => problem.includes(`${name}: `));
  const [, expected] = /; expected (.*)$/.exec(line ?? '') ?? [];
  if (expected !== undefined) return expected;
  throw new Error(`The reader does not say what it expects as "${name}".`);
}

/** Null if it isn't required. */
function findNeed({ required, anyOf }: JsonSchema, name: string): string | null {
  if (required?.includes(name) === true) return 'yes';
  return anyOf?.[0]?.required?.includes(name) === true ? 'unless the profile has it' : null;
}

/** Null if there is none. */
function findDefault({ properties }: JsonSchema, name: string): string | null {
  const value = properties?.[name]?.default ?? null;
  return value === null || toJson(value) === '{}' ? null : toCode(toJson(value));
}

const flowWords: Readonly<Record<FlowName, string>> = {
  code: 'code',
  'id-token': 'ID token',
  oauth: 'plain OAuth 2',
  device: 'device',
};

function toFlows(used: readonly FlowName[]): string {
  return used.map((flow) => flowWords[flow]).join(', ');
}

const policyWords: Readonly<Record<Exclude<PolicyUse, 'yes'>, string>> = {
  no: 'no',
  hosts: "within the build's hosts",
  part: "within the build's flows",
  narrows: 'both must hold',
};

/** A link from docs/ to the heading, by the name that it has on GitHub. */
function toLink(more: string): string {
  const [file = '', heading = ''] = more.split('#');
  return `[${heading}](${relative('docs', file)}#${toAnchor(heading)})`;
}

/** Shows what is quoted as code. Words on the screen stay as they are. */
function toText(text: string): string {
  return text.replaceAll(/\["[^\]]*\]|"([^"]*)"/g, (quoted, inner?: string) =>
    inner !== undefined && /^[A-Z]/.test(inner) ? quoted : toCode(inner || quoted),
  );
}

function toCode(text: string): string {
  return `\`${text}\``;
}

/** JSON with the spaces that people write. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /"(?:[^"\\]|\\.)*"|\{\}|[:,{}]/g,
    (part) => ({ ':': ': ', ',': ', ', '{': '{ ', '}': ' }' })[part] ?? part,
  );
}
