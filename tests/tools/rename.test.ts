import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../tools/command.ts';
import { redirectUris, type ExtensionIdentity } from '../../tools/redirect-uris.ts';
import { readNewName, rename } from '../../tools/rename.ts';
import { makeFolder } from '../support/folder.ts';

const project = resolve(import.meta.dirname, '../..');
const files = ['manifest.json', 'package.json', 'package-lock.json', 'src/public'];
const acme = { name: 'Acme $ign-in', geckoId: 'sign-in@acme.example', icon: null };

const inChromium = /^https:\/\/[a-p]{32}\.chromiumapp\.org\/demo$/;

/** A copy of the files that a renaming changes. */
async function copyProject(): Promise<string> {
  const root = makeFolder();
  for (const file of files) await cp(join(project, file), join(root, file), { recursive: true });
  return root;
}

const readText = (root: string, file: string) => readFile(join(root, file), 'utf8');
const readJson = async <T>(root: string, file: string) => JSON.parse(await readText(root, file)) as T;

test('rename writes the new name into every language, new identities, and nothing else', async () => {
  const root = await copyProject();
  const icon = 'src/public/icons/latchkey-16.png';
  const changed = await rename(
    root,
    { ...acme, description: 'Tasks.' },
    new Map([[icon, Buffer.from('drawn')]]),
  );
  const languages = changed.filter((file) => file.startsWith('src/public/_locales/'));
  expect(languages).toContain('src/public/_locales/en/messages.json');
  for (const file of languages) {
    const before = await readJson<Record<string, object>>(project, file);
    // A single dollar sign would begin a placeholder.
    const extensionName = { ...before['extensionName'], message: 'Acme $$ign-in' };
    expect(await readJson(root, file)).toEqual({ ...before, extensionName });
  }
  const before = await readJson<ExtensionIdentity>(project, 'manifest.json');
  const after = await readJson<ExtensionIdentity>(root, 'manifest.json');
  const browser_specific_settings = {
    gecko: { ...before.browser_specific_settings.gecko, id: 'sign-in@acme.example' },
  };
  expect(after).toEqual({ ...before, description: 'Tasks.', key: after.key, browser_specific_settings });
  expect(redirectUris(after, 'demo').chrome).toMatch(inChromium);
  expect(after.key).not.toBe(before.key);
  const { name } = await readJson<{ readonly name: string }>(project, 'package.json');
  for (const file of ['package.json', 'package-lock.json']) {
    const text = await readText(project, file);
    expect(await readText(root, file)).toBe(text.replaceAll(`"name": "${name}"`, '"name": "acme-ign-in"'));
  }
  expect(await readText(root, icon)).toBe('drawn');
  expect(changed).toEqual(
    expect.arrayContaining(['manifest.json', 'package.json', 'package-lock.json', icon]),
  );
});

test('rename writes nothing if a file is not JSON, and names it', async () => {
  const root = await copyProject();
  await writeFile(join(root, 'package.json'), '{"name": ');
  await expect(rename(root, acme)).rejects.toThrow(/^package\.json:1:\d+: not JSON/);
  for (const file of ['manifest.json', 'src/public/_locales/en/messages.json']) {
    expect(await readText(root, file)).toBe(await readText(project, file));
  }
});

test('rename gives an extension without a key one', async () => {
  const root = await copyProject();
  const { key: _key, ...keyless } = await readJson<ExtensionIdentity>(project, 'manifest.json');
  await writeFile(join(root, 'manifest.json'), JSON.stringify(keyless, null, 2));
  await rename(root, acme);
  const after = await readJson<ExtensionIdentity>(root, 'manifest.json');
  expect(redirectUris(after, 'demo').chrome).toMatch(inChromium);
});

test.each<[string, readonly string[], RegExp]>([
  ['a command without options', [], /^--name: .*--name "Acme Sign-in" --id sign-in@acme\.example\.$/],
  ['a name of spaces only', ['--name', '  ', '--id', 'a@b.example'], /--name/],
  ['a name that is too long for a store', ['--name', 'x'.repeat(76), '--id', 'a@b.example'], /75 characters/],
  ['a name that turns the text around it', ['--name', 'Acme \u202e', '--id', 'a@b.example'], /--name/],
  ['a missing id', ['--name', 'Acme'], /--id: .*no mailbox has to exist\.$/],
  ['an id that Firefox does not accept', ['--name', 'Acme', '--id', 'acme'], /--id/],
])('readNewName rejects %s and says what it expects', (_title, args, expected) => {
  expect(() => readNewName(args, {})).toThrow(UsageError);
  expect(() => readNewName(args, {})).toThrow(expected);
});

test('readNewName accepts a UUID in braces as the id', () => {
  const id = '{0a1b2c3d-0000-4000-8000-0123456789ab}';
  expect(readNewName(['--name', ' Acme ', '--id', id, '--icon', 'acme.svg'], {})).toEqual({
    name: 'Acme',
    geckoId: id,
    icon: 'acme.svg',
  });
});
