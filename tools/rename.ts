// `npm run rename -- --name "Acme Sign-in" --id sign-in@acme.example`: gives the product a new name in every language,
// and its own identity in both browsers.

import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from './command.ts';
import { redirectUris, type ExtensionIdentity } from './redirect-uris.ts';

export interface NewName {
  /** The product's name, as people see it. */
  readonly name: string;
  /** The id for Firefox: in the form of an e-mail address, or a UUID in braces. */
  readonly geckoId: string;
  /** The path of an SVG that replaces the icon; null keeps the icon. */
  readonly icon: string | null;
}

/** The form of an id that addons.mozilla.org accepts. */
const geckoIdForm = /^(?:[\w.-]*@[\w.-]+|\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\})$/i;
/** The limit of the Chrome Web Store, in characters. */
const maxNameLength = 75;

/** Reads the command's options. Throws a {@link UsageError} that names the wrong option and what it expects. */
export function readNewName(args: readonly string[]): NewName {
  const { name = '', id = '', icon = null } = readOptions(args);
  if (name.trim() === '' || name.length > maxNameLength || /\p{Cc}/u.test(name)) {
    throw new UsageError(`--name: expected the product's name, of at most ${maxNameLength} characters.`);
  }
  if (!geckoIdForm.test(id)) {
    throw new UsageError('--id: expected an id for Firefox, such as sign-in@acme.example.');
  }
  if (icon !== null && !(icon.endsWith('.svg') && existsSync(icon))) {
    throw new UsageError(`--icon: expected an SVG file; ${icon} is not one.`);
  }
  return { name: name.trim(), geckoId: id, icon };
}

function readOptions(args: readonly string[]): { name?: string; id?: string; icon?: string } {
  const type = 'string';
  try {
    return parseArgs({ args: [...args], options: { name: { type }, id: { type }, icon: { type } } }).values;
  } catch (cause) {
    throw new UsageError(
      'Expected --name "Acme Sign-in" --id sign-in@acme.example, and optionally --icon logo.svg.',
      {
        cause,
      },
    );
  }
}

/**
 * Writes the new name and identities into the project at `root`. Returns the changed files, relative to `root` and with
 * `/`. Formatting is kept.
 */
export async function rename(root: string, { name, geckoId, icon }: NewName): Promise<readonly string[]> {
  const changed: string[] = [];
  const change = async (file: string, edit: (text: string) => string) => {
    const text = await readFile(join(root, file), 'utf8');
    await writeFile(join(root, file), edit(text));
    changed.push(file);
  };

  const locales = 'src/public/_locales';
  for (const locale of (await readdir(join(root, locales))).toSorted()) {
    // A single dollar sign would begin a placeholder.
    const message = name.replaceAll('$', '$$$$');
    await change(`${locales}/${locale}/messages.json`, (text) => {
      const messages = JSON.parse(text) as Record<string, object>;
      return `${JSON.stringify({ ...messages, extensionName: { ...messages['extensionName'], message } }, null, 2)}\n`;
    });
  }
  await change('manifest.json', (text) => {
    const { key, browser_specific_settings: settings } = JSON.parse(text) as ExtensionIdentity;
    return replaceText(replaceText(text, key, createPublicKey()), settings.gecko.id, geckoId);
  });
  for (const file of ['package.json', 'package-lock.json']) {
    await change(file, (text) => {
      const { name: old } = JSON.parse(text) as { readonly name: string };
      return text.replaceAll(`"name": "${old}"`, `"name": "${toPackageName(name)}"`);
    });
  }
  if (icon !== null) {
    await copyFile(icon, join(root, 'src/public/icons/latchkey.svg'));
    changed.push('src/public/icons/latchkey.svg');
  }
  return changed;
}

function replaceText(json: string, old: string, text: string): string {
  return json.replace(JSON.stringify(old), () => JSON.stringify(text));
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runCommand(async () => {
    const root = resolve(import.meta.dirname, '..');
    const newName = readNewName(process.argv.slice(2));
    const changed = await rename(root, newName);
    // Draws the PNG icons from the new SVG.
    if (newName.icon !== null) await import('./icons.ts');
    const manifest = JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8')) as ExtensionIdentity;
    const { chrome, firefox } = redirectUris(manifest, '<provider id>');
    console.log(`The product is now called ${newName.name}. Changed files:
${changed.map((file) => `  ${file}`).join('\n')}
Register these redirect URIs with each provider:
  ${chrome}  (Chrome and Edge)
  ${firefox}  (Firefox)`);
  });
}
