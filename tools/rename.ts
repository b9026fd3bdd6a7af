// `npm run rename -- --name "Acme Sign-in" --id sign-in@acme.example`: gives the product a new name in every language,
// and its own identity in both browsers.

import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { JSONPath } from 'jsonc-parser';
import { describeInvisible } from '../src/config/visible.ts';
import { browserNames } from './browser/browsers.ts';
import { FileError } from './build/parse-json.ts';
import { listLanguages } from './build/list-languages.ts';
import { readText } from './build/read-text.ts';
import { setInJson, type Change, writeChanges } from './changes.ts';
import { isCommand, refuseOptionsKeptByNpm, runCommand, UsageError } from './command.ts';
import { readDemonstrated } from './demo.ts';
import { checkIcon, drawIcons, iconSource } from './icons.ts';
import { readIdentity } from './product.ts';
import { describeRedirectUris, geckoIdForm, type RedirectedProvider, storeIds } from './redirect-uris.ts';

export interface NewName {
  /** The product's name, as people see it. */
  readonly name: string;
  /** The id for Firefox: in the form of an e-mail address, or a UUID in braces. */
  readonly geckoId: string;
  /** The SVG that replaces the icon; null keeps the icon. */
  readonly icon: string | null;
}

/** The limit of the Chrome Web Store, in characters. */
const maxNameLength = 75;
const example = '--name "Acme Sign-in" --id sign-in@acme.example';
const expected = `Expected ${example}, and optionally --icon logo.svg.`;

/**
 * Reads the command's options, and the icon's file. Throws a {@link UsageError} that names the wrong option and what it
 * expects.
 */
export function readNewName(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): NewName {
  refuseOptionsKeptByNpm(['name', 'id', 'icon'], example, environment);
  if (args.length === 0) {
    throw new UsageError(
      `${expected}\n--id is the extension's ID in Firefox. It looks like an e-mail address, but no mailbox has to exist.`,
    );
  }
  const { name = '', id = '', icon: path } = readOptions(args);
  const invisible = describeInvisible(name);
  if (invisible !== null) throw new UsageError(`--name: expected visible characters only, but ${invisible}.`);
  if (name.trim() === '' || name.length > maxNameLength) {
    throw new UsageError(`--name: expected the product's name, of at most ${maxNameLength} characters.`);
  }
  if (!geckoIdForm.test(id)) {
    throw new UsageError('--id: expected an id for Firefox, such as sign-in@acme.example.');
  }
  return { name: name.trim(), geckoId: id, icon: path === undefined ? null : readIcon(path) };
}

function readOptions(args: readonly string[]): { name?: string; id?: string; icon?: string } {
  const type = 'string';
  try {
    return parseArgs({ args: [...args], options: { name: { type }, id: { type }, icon: { type } } }).values;
  } catch (cause) {
    throw new UsageError(expected, { cause });
  }
}

function readIcon(path: string): string {
  let svg: string;
  try {
    svg = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`--icon: expected an SVG file; ${path} cannot be read.`, { cause });
  }
  checkIcon(svg, path);
  return svg;
}

/**
 * Writes the new name and identities into the project at `root`. Returns the changed files, relative to `root` and with
 * `/`. Formatting is kept.
 *
 * Prepares everything first, also what `draw` makes of a new icon: if that fails, nothing is written. Throws an Error that
 * says what is written, if a write fails. `createKey` makes the extension's public key, in base64.
 */
export async function rename(
  root: string,
  newName: NewName,
  draw: (svg: string) => Promise<readonly Change[]>,
  createKey = createPublicKey,
): Promise<readonly string[]> {
  const changes: Change[] = [];
  const change = (file: string, edits: readonly (readonly [JSONPath, string])[]) => {
    const text = readText(join(root, file), file);
    changes.push({
      file,
      content: edits.reduce((edited, [path, value]) => setInJson(file, edited, path, value), text),
    });
  };

  const locales = 'src/public/_locales';
  for (const locale of listLanguages(join(root, locales))) {
    // A single dollar sign would begin a placeholder.
    const message = newName.name.replaceAll('$', '$$$$');
    change(`${locales}/${locale}/messages.json`, [[['extensionName', 'message'], message]]);
  }
  change('manifest.json', [
    [['key'], createKey()],
    [['browser_specific_settings', 'gecko', 'id'], newName.geckoId],
  ]);
  const packageName = toPackageName(newName.name);
  change('package.json', [[['name'], packageName]]);
  change('package-lock.json', [
    [['name'], packageName],
    [['packages', '', 'name'], packageName],
  ]);
  if (newName.icon !== null) {
    changes.push({ file: iconSource, content: newName.icon }, ...(await draw(newName.icon)));
  }
  return writeChanges(root, changes);
}

/** The public key of a new pair. The private key is not needed: a store signs with its own. */
function createPublicKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

function toPackageName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z\d]+/g);
  return words?.join('-') ?? 'extension';
}

/** Stands for each provider of a configuration. */
const anyProvider = { id: '<provider id>', firefoxRedirect: 'extensions.allizom.org' } as const;

/**
 * Describes a renaming in text to print: the changed files, and the redirect URIs that follow from the new identities.
 * Without `providers` the URIs are those of any provider.
 */
export function describeRename(
  root: string,
  { name }: NewName,
  changed: readonly string[],
  providers: readonly RedirectedProvider[] = [],
): string {
  const named = providers.length === 0 ? [anyProvider] : providers;
  return `The product is now called ${name}. Changed files:
${changed.map((file) => `  ${file}`).join('\n')}
${describeRedirectUris(readIdentity(root), named, browserNames).join('\n')}
Redirect URIs that you registered before no longer work.
${storeIds}`;
}

/** The configured providers, except the demo provider, which needs no registration. None if the file has a mistake. */
export function readProviders(): readonly RedirectedProvider[] {
  try {
    const { config, demo } = readDemonstrated();
    return config.providers.filter((provider) => provider !== demo);
  } catch (error) {
    // The product is renamed, and each build names the mistake.
    if (error instanceof FileError) return [];
    throw error;
  }
}

if (isCommand(import.meta.url)) {
  await runCommand(async () => {
    const root = resolve(import.meta.dirname, '..');
    const newName = readNewName(process.argv.slice(2));
    const changed = await rename(root, newName, (svg) => drawIcons(svg, console.log));
    console.log(describeRename(root, newName, changed, readProviders()));
  });
}
