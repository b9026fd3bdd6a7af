// Makes the reference of the configuration from the schema of its reader.

import { format, type FormatConfig } from 'oxfmt';
import {
  configEntries,
  logoutEntries,
  metadataEntries,
  providerEntries,
  userApiEntries,
} from '../src/config/schema.ts';
import { aboutConfig, aboutLogout, aboutMetadata, aboutProvider, aboutUserApi } from './setting-texts.ts';
import { toAnchor } from './anchor.ts';
import { configUses, flows, providerUses, type FlowName, type Use } from './setting-uses.ts';

/** Where the page is. */
export const referencePage = 'docs/configuration-reference.md';

/** The parts of an entry of the schema that the page shows. */
interface Entry {
  readonly type: string;
  readonly message?: unknown;
  /** The schema of a setting that is optional. */
  readonly wrapped?: Entry;
  readonly default?: unknown;
}
type Entries = Readonly<Record<string, Entry>>;
type Texts = Readonly<Record<string, string>>;

/** The settings that consist of further ones. */
const members: Readonly<Record<string, readonly [entries: () => Entries, texts: Texts]>> = {
  logoutParameters: [logoutEntries, aboutLogout],
  metadata: [metadataEntries, aboutMetadata],
  userApi: [userApiEntries, aboutUserApi],
};

/** Returns the text of {@link referencePage}, formatted in `style`. */
export async function toReferencePage(style: FormatConfig): Promise<string> {
  const { $schema: _schema, ...config } = configEntries();
  const page = [
    '# Configuration reference',
    '<!-- Made from src/config/schema.ts, tools/setting-texts.ts and tools/setting-uses.ts. Change these files, then run: npx tsx tools/configuration.ts -->',
    'Every setting of `src/config.json`, in the order of the schema. [configuration.md](configuration.md) explains how they work ' +
      'together: the flows, profiles, and what to register. For editors, `"$schema": "./config/schema.json"` at the top of the ' +
      'file names the schema, and they then complete and check the settings.',
    'Each setting says in which flow it matters: the authorization **code** flow, the **ID token** flow, **plain OAuth 2**, or the ' +
      `**device** flow. [Which flow](configuration.md#which-flow) says which one a provider needs. **Policy** says whether an administrator ` +
      'may set it in a [managed policy](administrators.md), and **Default** what holds without it.',
    '## Top level',
    ...toSections(config, aboutConfig, configUses),
    '## A provider',
    'The keys of each object in `providers`. `id`, `name`, `issuer` and `clientId` are enough for most providers, and a [profile](#profile) may bring the `issuer`.',
    ...toSections(providerEntries(), aboutProvider, providerUses),
  ].join('\n\n');
  const { code } = await format(referencePage, page, style);
  return code;
}

function toSections(entries: Entries, texts: Texts, uses: Readonly<Record<string, Use>>): string[] {
  return Object.entries(entries).flatMap(([name, entry]) => {
    const use = uses[name];
    const text = texts[name];
    if (use === undefined || text === undefined)
      throw new Error(`"${name}" has no description in tools/setting-texts.ts and tools/setting-uses.ts.`);
    const [own, ownTexts] = members[name] ?? [];
    return [
      `### ${toCode(name)}`,
      toText(text),
      toFacts(name, entry, use),
      ...(own !== undefined && ownTexts !== undefined ? [toMembers(own(), ownTexts)] : []),
    ];
  });
}

function toFacts(name: string, entry: Entry, { flows: used, policy, more, example }: Use): string {
  return [
    `- **Value**: ${toText(toExpected(entry))}`,
    `- **Example**: ${toCode(`${toJson(name)}: ${toJson(example[name])}`)}`,
    `- **Default**: ${toDefault(entry)}`,
    `- **Flow**: ${toFlows(used)}`,
    `- **Policy**: ${toPolicy(policy)}`,
    ...(more === null ? [] : [`- **More**: ${toLink(more)}`]),
  ].join('\n');
}

function toMembers(entries: Entries, texts: Texts): string {
  const rows = Object.entries(entries).map(
    ([name, entry]) => `| ${toCode(name)} | ${toText(texts[name] ?? '')} | ${toDefault(entry)} |`,
  );
  return ['| member | what it does | default |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The words with which the reader says what it expected. */
function toExpected(entry: Entry): string {
  const { message, wrapped } = entry;
  if (typeof message === 'string') return message;
  if (wrapped !== undefined) return toExpected(wrapped);
  throw new Error('A setting of the schema does not say what it expects.');
}

function toDefault(entry: Entry): string {
  switch (entry.type) {
    case 'optional':
    case 'nullish':
      return entry.default === null ? 'none' : toCode(toJson(entry.default));
    case 'exact_optional':
      return 'none';
    default:
      return 'required';
  }
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

function toPolicy(policy: Use['policy']): string {
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

/** A link to the heading, by the name that it has on GitHub. */
function toLink(more: string): string {
  const [file = '', heading = ''] = more.split('#');
  return `[${heading}](${file}#${toAnchor(heading)})`;
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
