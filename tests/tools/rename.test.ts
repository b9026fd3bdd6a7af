import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../tools/command.ts';
import { redirectUris, type ExtensionIdentity } from '../../tools/redirect-uris.ts';
import { readNewName, rename } from '../../tools/rename.ts';

const project = resolve(import.meta.dirname, '../..');
const files = ['manifest.json', 'package.json', 'package-lock.json', 'src/public'];
const acme = { name: 'Acme $ign-in', geckoId: 'sign-in@acme.example', icon: null };

/** A copy of the files that a renaming changes. */
async function copyProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-rename-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const file of files) await cp(join(project, file), join(root, file), { recursive: true });
  return root;
}

const readJson = async <T>(root: string, file: string) =>
  JSON.parse(await readFile(join(root, file), 'utf8')) as T;

test('rename writes the new name into every language, and escapes a dollar sign', async () => {
  const root = await copyProject();
  const changed = await rename(root, acme);
  const languages = changed.filter((file) => file.startsWith('src/public/_locales/'));
  expect(languages).toContain('src/public/_locales/en/messages.json');
  for (const file of languages) {
    const before = await readJson<Record<string, object>>(project, file);
    const after = await readJson<Record<string, object>>(root, file);
    expect(after).toEqual({
      ...before,
      extensionName: { ...before['extensionName'], message: 'Acme $$ign-in' },
    });
  }
});

test('rename gives the extension a new identity in both browsers', async () => {
  const root = await copyProject();
  await rename(root, acme);
  const before = await readJson<ExtensionIdentity>(project, 'manifest.json');
  const after = await readJson<ExtensionIdentity>(root, 'manifest.json');
  expect(after.browser_specific_settings.gecko.id).toBe('sign-in@acme.example');
  expect(redirectUris(after, 'demo').chrome).toMatch(/^https:\/\/[a-p]{32}\.chromiumapp\.org\/demo$/);
  expect(redirectUris(after, 'demo').chrome).not.toBe(redirectUris(before, 'demo').chrome);
  expect({ ...after, key: before.key, browser_specific_settings: null }).toEqual({
    ...before,
    browser_specific_settings: null,
  });
});

test('rename gives package.json and its lock file the same new name, and keeps their formatting', async () => {
  const root = await copyProject();
  await rename(root, acme);
  const { name } = await readJson<{ readonly name: string }>(project, 'package.json');
  for (const file of ['package.json', 'package-lock.json']) {
    const [before, after] = await Promise.all(
      [project, root].map((folder) => readFile(join(folder, file), 'utf8')),
    );
    expect(after).toBe(before?.replaceAll(`"name": "${name}"`, '"name": "acme-ign-in"'));
  }
});

test('rename replaces the icon', async () => {
  const root = await copyProject();
  const icon = join(root, 'acme.svg');
  await writeFile(icon, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect(await rename(root, { ...acme, icon })).toContain('src/public/icons/latchkey.svg');
  expect(await readFile(join(root, 'src/public/icons/latchkey.svg'), 'utf8')).toContain('<svg');
});

test.each<[string, readonly string[], RegExp]>([
  ['a missing name', ['--id', 'a@b.example'], /--name/],
  ['a name of spaces only', ['--name', '  ', '--id', 'a@b.example'], /--name/],
  ['a name that is too long for a store', ['--name', 'x'.repeat(76), '--id', 'a@b.example'], /75 characters/],
  ['a missing id', ['--name', 'Acme'], /--id/],
  ['an id that Firefox does not accept', ['--name', 'Acme', '--id', 'acme'], /--id/],
  ['a missing icon file', ['--name', 'Acme', '--id', 'a@b.example', '--icon', 'no.svg'], /no\.svg/],
  ['an unknown option', ['--title', 'Acme'], /Expected --name/],
])('readNewName rejects %s and says what it expects', (_title, args, expected) => {
  expect(() => readNewName(args)).toThrow(UsageError);
  expect(() => readNewName(args)).toThrow(expected);
});

test('readNewName accepts a UUID in braces as the id', () => {
  const id = '{0a1b2c3d-0000-4000-8000-0123456789ab}';
  expect(readNewName(['--name', ' Acme ', '--id', id])).toEqual({ name: 'Acme', geckoId: id, icon: null });
});
