// `npx tsx tools/providers.ts`: writes the page of each provider and the list of them, from the profiles.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import type { ApiTokens, PresetProfile, Profile, StepUpSupport } from '../src/providers/profile.ts';
import { loadProfiles, type NamedProfile } from './build/profiles.ts';
import { readJson, root } from './build/read-text.ts';
import { readOptions, runIfStarted } from './command.ts';
import {
  toExampleProvider,
  toFacts,
  toFlow,
  toOutline,
  usualFlow,
  type DatedFact,
} from './profile-outline.ts';
import { fillStep, type Registered } from './redirect-uris.ts';

/** Where the pages are. */
export const pagesFolder = 'docs/providers';

/** Writes the pages into `project`. Returns how many there are. */
export async function writePages(project: string): Promise<number> {
  const style = readJson('.oxfmtrc.json') as FormatConfig;
  const pages = await toPages(loadProfiles(), style);
  for (const [file, text] of pages) writeFileSync(resolve(project, pagesFolder, file), text);
  return pages.size;
}

/** Returns the text of each file in {@link pagesFolder}, formatted in `style`. */
export async function toPages(
  profiles: readonly NamedProfile[],
  style: FormatConfig,
): Promise<ReadonlyMap<string, string>> {
  const pages = [
    ['README.md', toList(profiles)] as const,
    ...profiles.map((named) => [`${named.name}.md`, toPage(named)] as const),
  ];
  const formatted = pages.map(async ([file, text]) => {
    const { code: page } = await format(file, text, style);
    return [file, page] as const;
  });
  return new Map(await Promise.all(formatted));
}

function toPage({ name, profile }: NamedProfile): string {
  const { redemption } = toOutline(profile);
  const { limits } = profile;
  const registered = toRegistered(profile);
  return join([
    `# ${profile.title}`,
    '[Documentation](../README.md) / [Providers](README.md)',
    `<!-- Made from src/providers/${name}.ts. Change that file, then run: npx tsx tools/providers.ts -->`,
    toStatus(profile),
    ...(profile.use === 'preset' ? toConfiguration(name, profile) : []),
    '## What to register',
    `Place: ${profile.registration.console}.`,
    profile.registration.steps
      .map((step, index) => `${index + 1}. ${toText(fillStep(step, registered))}`)
      .join('\n'),
    ...(profile.use === 'preset' ? [addresses, redemption.text, ...toFurther(profile)] : []),
    ...(limits.length === 0
      ? []
      : ["## What doesn't work, or is weaker", limits.map(({ text }) => `- ${toText(text)}`).join('\n')]),
    '## Where this comes from',
    table(['fact', 'how', 'date'], toFacts(profile).map(toFactRow)),
    '**Next**: [Connect a provider](../configuration.md)',
  ]);
}

function toList(profiles: readonly NamedProfile[]): string {
  const usable = profiles.filter(({ profile }) => profile.use === 'preset');
  const refused = profiles.filter(({ profile }) => profile.use === 'refused');
  return join([
    '# Providers',
    '[Documentation](../README.md) / Reference',
    '<!-- Made from src/providers. Change the files there, then run: npx tsx tools/providers.ts -->',
    "A profile holds what Latchkey knows about a provider: the settings, what to register, and what doesn't work. " +
      '[Connect a provider](../configuration.md#profiles) says how to use a profile, and how to write one. ' +
      'A provider without a profile works if it follows OpenID Connect.',
    toTrust(profiles),
    '## Providers with a profile',
    table(['profile', 'should work in', 'what to know'], usable.map(toRow)),
    "## Providers that can't be used directly",
    'Their profile is refused, with the reason and the alternative. A broker is an OpenID provider that you run or that a ' +
      'service runs. It signs people in with the other provider and keeps the secret.',
    table(['profile', 'why not'], refused.map(toRefusedRow)),
    '**Next**: [Connect a provider](../configuration.md)',
  ]);
}

const addresses =
  '`npm run build` prints the redirect URIs with your IDs. Stores give the extension different IDs: ' +
  '[Release the extension](../releasing.md) says what to register for them.';

function toStatus(profile: Profile): string {
  if (profile.use === 'refused') return `**It can't be used directly.** ${toText(profile.refusal)}`;
  if (isTried(profile))
    return '**Verified.** People have signed in here with Latchkey: see [the sources](#where-this-comes-from).';
  // The shapes in tests/support/shape-server play a whole session, but only in the usual flow.
  const tested = toFlow(profile.settings) === usualFlow ? 'run a whole session with' : 'sign in to';
  return (
    '**Not verified yet.** No one has signed in to this provider with Latchkey. The settings come from ' +
    `[these sources](#where-this-comes-from). The tests ${tested} a mock built from them.`
  );
}

function toTrust(profiles: readonly NamedProfile[]): string {
  const tried = profiles.filter(({ profile }) => isTried(profile)).map(({ profile }) => profile.title);
  return tried.length === 0
    ? '**No one has signed in to any of them with Latchkey yet.** Each page lists its sources. If you try one, add the result to its profile.'
    : `**Verified by a real sign-in**: ${tried.join(', ')}. For the others, each page lists its sources. If you try one, add the result to its profile.`;
}

function isTried({ facts }: Profile): boolean {
  return facts.some(({ how }) => how === 'tried');
}

function toConfiguration(name: string, profile: PresetProfile): string[] {
  const { settings, asks } = profile;
  const { scope } = toOutline(profile);
  const example = toExampleProvider(name, profile);
  return [
    '## Configuration',
    `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    ...(asks.length === 0
      ? []
      : [asks.map(({ setting, expected }) => `- \`${setting}\`: ${toText(expected)}.`).join('\n')]),
    ...(Object.keys(settings).length === 0
      ? ['The profile sets nothing else: the defaults fit.']
      : ['The profile sets:', table(['setting', 'value'], Object.entries(settings).map(toSettingRow))]),
    scope === '' ? 'A sign-in asks for no scope.' : `A sign-in asks for the scope ${code(scope ?? '')}.`,
  ];
}

function toFurther({ apis, stepUp }: PresetProfile): string[] {
  const ofApis = apis && `- **A token for each API** (\`apis\`): ${toWay(apis)} ${toText(apis.text)}`;
  const ofStepUp = stepUp && `- **Step-up:** ${toDemands(stepUp)} ${toText(stepUp.text)}`;
  const lines = [ofApis, ofStepUp].filter((line) => line !== undefined);
  return lines.length === 0 ? [] : ['## Several APIs and step-up', lines.join('\n')];
}

function toWay({ by, without }: ApiTokens): string {
  if (by === 'none') return 'not possible.';
  return `each API is named by ${code(by)}${without === undefined ? '' : `, without ${code(without)}`}.`;
}

function toDemands({ by }: StepUpSupport): string {
  return by.length === 0 ? 'not known to work.' : `an API can ask for ${by.map(code).join(' and ')}.`;
}

const toSettingRow = ([setting, value]: [string, unknown]) => [code(setting), code(JSON.stringify(value))];

function toFactRow({ text, how, source, date }: DatedFact): string[] {
  return [toText(text), source === undefined ? how : `[${how}](${source})`, date];
}

function toRow({ name, profile }: NamedProfile): string[] {
  const { flow, redemption, notes } = toOutline(profile);
  const known = [...(flow === null || flow === usualFlow ? [] : [flow]), ...notes];
  return [toNamed(name, profile), redemption.short, known.length === 0 ? '–' : known.join(', ')];
}

function toRefusedRow({ name, profile }: NamedProfile): string[] {
  const [reason = ''] = profile.use === 'refused' ? profile.refusal.split(/(?<=\.) /) : [];
  return [toNamed(name, profile), reason];
}

function toNamed(name: string, profile: Profile): string {
  return `[${profile.title}](${name}.md): \`${name}\``;
}

/** The values for the steps, with "<…>" in place of what differs from build to build. */
function toRegistered(profile: Profile): Registered {
  const isLoopback = profile.use === 'preset' && profile.settings.firefoxRedirect === 'loopback';
  const hash = '<hash of the gecko id>';
  return {
    redirectUris: {
      chrome: code('https://<extension id>.chromiumapp.org/<id>'),
      firefox: code(
        isLoopback
          ? `http://127.0.0.1/mozoauth2/${hash}/<id>`
          : `https://${hash}.extensions.allizom.org/<id>`,
      ),
    },
    origin: code('chrome-extension://<extension id>'),
    scope: toOutline(profile).scope,
  };
}

/** Markdown takes "<…>" outside of code for HTML, so a quoted value that has it becomes code. */
function toText(text: string): string {
  return text.replaceAll(/(?<!`)"([^"`]*<[^"`]*)"/g, (_whole, value: string) => code(value));
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function join(parts: readonly string[]): string {
  return parts.join('\n\n');
}

await runIfStarted(import.meta.url, async () => {
  readOptions({}, '');
  console.log(`${await writePages(root)} files in ${pagesFolder}`);
});
