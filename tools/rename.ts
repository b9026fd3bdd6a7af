// `npm run rename -- --name "Acme Sign-in" --id sign-in@acme.example`: gives the product a new name in every language,
// and its own identity in both browsers.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JSONPath } from 'jsonc-parser';
import { describeInvisible } from '../src/config/visible.ts';
import { listLanguages } from './build/own-files.ts';
import { setInJson, readText, root as project } from './build/read-text.ts';
import { readOptions, runIfStarted, UsageError } from './command.ts';
import { drawIcons, iconSource, type Icons } from './icons.ts';
import { createPublicKey, geckoIdForm, storesDiffer } from './redirect-uris.ts';

export interface Identity {
  readonly name: string;
  /** The id for Firefox: in the form of an email address, or a UUID in braces. */
  readonly geckoId: string;
  /** A sentence about what the product does. Without it, Latchkey's sentence stays, which exists in all languages. */
  readonly description?: string | undefined;
}

/** The limits of the Chrome Web Store, in characters. */
const maxNameLength = 75;
const maxDescriptionLength = 132;
const example = '--name "Acme Sign-in" --id sign-in@acme.example';

/** Reads the command's options; `icon` is null without one. Throws a {@link UsageError} that names the wrong option and what it expects. */
export function readNewName(
  args?: readonly string[],
  environment?: Readonly<Record<string, string | undefined>>,
) {
  const known = {
    ...identityOptions,
    icon: { type: 'string', description: 'The path of an SVG from which to draw the icons.' },
  } as const;
  const options = readOptions(known, example, args, environment);
  return { ...toIdentity(options), icon: options.icon ?? null };
}

export const identityOptions = {
  name: { type: 'string', description: "The product's name, as people see it." },
  id: { type: 'string', description: 'The id for Firefox, in the form of an email address.' },
  description: { type: 'string', description: 'What it does, in one sentence: for the stores.' },
} as const;

/** Returns the values of {@link identityOptions}. Throws a {@link UsageError} that says what is wrong with one. */
export function toIdentity({
  name = '',
  id = '',
  description,
}: {
  readonly [Option in keyof typeof identityOptions]?: string | undefined;
}): Identity {
  for (const [option, text] of Object.entries({ name, description })) {
    const invisible = describeInvisible(text ?? '');
    if (invisible !== null)
      throw new UsageError(`--${option}: expected visible characters only, but ${invisible}.`);
  }
  if (name.trim() === '' || name.length > maxNameLength) {
    throw new UsageError(
      `--name: expected the product's name, of at most ${maxNameLength} characters: ${example}.`,
    );
  }
  if (!geckoIdForm.test(id)) {
    throw new UsageError(
      '--id: expected an id for Firefox, such as sign-in@acme.example. It looks like an email address, but no mailbox has to exist.',
    );
  }
  if ((description ?? '').length > maxDescriptionLength) {
    throw new UsageError(`--description: expected at most ${maxDescriptionLength} characters.`);
  }
  return { name: name.trim(), geckoId: id, description };
}

/**
 * Writes the new name and identities into the project at `root`, and the icons. Returns the changed files, relative to
 * `root` and with `/`. Formatting is kept. Writes nothing if a file can't be read.
 */
export async function rename(
  root: string,
  { name, geckoId, description }: Identity,
  icons: Icons = new Map(),
): Promise<readonly string[]> {
  const changed = new Map<string, string | Uint8Array>(icons);
  const change = (file: string, edits: readonly Edit[]) =>
    changed.set(file, edit(file, readText(file, root), edits));
  const locales = 'src/public/_locales';
  for (const locale of listLanguages(join(root, locales))) {
    // A single dollar sign would begin a placeholder.
    const message = name.replaceAll('$', '$$$$');
    change(`${locales}/${locale}/messages.json`, [[['extensionName', 'message'], message]]);
  }
  change('manifest.json', toIdentityEdits(geckoId, description));
  const packageName = toPackageName(name);
  change('package.json', [[['name'], packageName]]);
  change('package-lock.json', [
    [['name'], packageName],
    [['packages', '', 'name'], packageName],
  ]);
  for (const [file, content] of changed) await writeFile(join(root, file), content);
  return [...changed.keys()];
}

type Edit = readonly [JSONPath, string];

/** Makes the changes in the text of a JSON file, whose formatting is kept. */
export function edit(file: string, text: string, edits: readonly Edit[]): string {
  return edits.reduce((edited, [path, value]) => setInJson(file, edited, path, value), text);
}

/** The edits that give manifest.json an identity of its own in both browsers, and the description if there is one. */
export function toIdentityEdits(geckoId: string, description: string | undefined): readonly Edit[] {
  return [
    [['key'], createPublicKey()],
    [['browser_specific_settings', 'gecko', 'id'], geckoId],
    ...(description === undefined ? [] : [[['description'], description] satisfies Edit]),
  ];
}

/** A name for package.json, from the letters and digits of a product's name. */
export function toPackageName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z\d]+/g);
  return words?.join('-') ?? 'extension';
}

await runIfStarted(import.meta.url, async (onStop) => {
  const newName = readNewName();
  let icons: Icons = new Map();
  if (newName.icon !== null) {
    const svg = readText(newName.icon);
    icons = new Map([[iconSource, Buffer.from(svg)], ...(await drawIcons(svg, newName.icon, onStop))]);
  }
  const changed = await rename(project, newName, icons);
  console.log(`The product is now called ${newName.name}. Changed files:
${changed.map((file) => `  ${file}`).join('\n')}
Redirect URIs that you registered before no longer work. \`npm run build\` prints the new ones.
${storesDiffer}`);
});
