// Generates the reference of the configuration: the settings with their descriptions, defaults and members from the JSON Schema
// for editors, examples and links from the comments, and what a value has to be from the reader's own words.

import { relative } from 'node:path/posix';
import { ConfigError } from '../../src/config/config-error.ts';
import { readConfig } from '../../src/config/config.ts';
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
    '<!-- Generated from the schemas in src/config by tests/config/schema.test.ts. -->',
    'Every setting of `src/config.json`, in the order of the schema. [configuration.md](configuration.md) explains how they work ' +
      'together: the flows, profiles, and what to register. For editors, `"$schema": "./config/schema.json"` at the top of the ' +
      'file names the schema, and they then complete and check the settings.',
    'Each setting says in which flow it matters: the authorization **code** flow, the **ID token** flow, **plain OAuth 2**, or the ' +
      `**device** flow. [Which flow](configuration.md#which-flow) says which one a provider needs. **Policy** says whether an administrator ` +
      'may set it in a [managed policy](administrators.md), and **Default** what holds without it.',
    '## Top level',
    ...toSections(topLevel),
    '## A provider',
    'The keys of each object in `providers`. `id`, `name`, `issuer` and `clientId` are enough for most providers, and a [profile](#profile) may bring the `issuer`.',
    ...toSections(providerLevel),
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
    return [
      `### ${toCode(name)}`,
      toText(description),
      [
        `- **Value**: ${toText(findExpectation(name, toConfig({ [name]: setting.type === 'boolean' ? 0 : true })))}`,
        `- **Example**: ${toCode(example)}`,
        `- **Default**: ${toDefault(object, name)}`,
        `- **Flow**: ${toFlows(use.flows)}`,
        `- **Policy**: ${toPolicy(use.policy)}`,
        ...(more === null ? [] : [`- **More**: ${toLink(more)}`]),
      ].join('\n'),
      ...(form.properties === undefined ? [] : [toMembers(form)]),
    ];
  });
}

function toMembers(object: JsonSchema): string {
  const rows = Object.entries(object.properties ?? {}).map(
    ([name, { description = '' }]) =>
      `| ${toCode(name)} | ${toText(description)} | ${toDefault(object, name)} |`,
  );
  return ['| member | what it does | default |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The words with which the reader says what it expected in place of a value that fits no setting. */
function findExpectation(name: string, wrong: object): string {
  try {
    readConfig(wrong);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { text = '' } = error.mistakes.find(({ path }) => path.at(-1) === name) ?? {};
    const [, expected] = /; expected (.*)$/.exec(text) ?? [];
    if (expected !== undefined) return expected;
  }
  throw new Error(`The reader does not say what it expects as "${name}".`);
}

function toDefault({ properties, required, anyOf }: JsonSchema, name: string): string {
  if (required?.includes(name) === true) return 'required';
  if (anyOf?.[0]?.required?.includes(name) === true) return 'required, unless the profile has it';
  const value = properties?.[name]?.default ?? null;
  return value === null ? 'none' : toCode(toJson(value));
}

const flowWords: Readonly<Record<FlowName, string>> = {
  code: 'code',
  'id-token': 'ID token',
  oauth: 'plain OAuth 2',
  device: 'device',
};

function toFlows(used: readonly FlowName[]): string {
  return used.length === flows.length ? 'every' : used.map((flow) => flowWords[flow]).join(', ');
}

function toPolicy(policy: PolicyUse): string {
  switch (policy) {
    case 'yes':
      return 'yes';
    case 'no':
      return 'no, only the build';
    case 'hosts':
      return 'yes, with hosts of the build and of `policyOrigins`';
    case 'part':
      return 'yes, if a provider of the build uses it too, or with `policyOrigins`';
    case 'narrows':
      return 'yes, in addition: both must hold';
  }
}

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
