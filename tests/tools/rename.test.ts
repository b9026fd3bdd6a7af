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

/** A copy of what a renaming touches. */
async function copyProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-rename-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const file of files) await cp(join(project, file), join(root, file), { recursive: true });
  return root;
}

const readJson = async <T>(root: string, file: string) =>
  JSON.parse(await readFile(join(root, file), 'utf8')) as T;

test('the name is the new one in every language, and a dollar sign in it begins no placeholder', async () => {
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

test('both browsers take it for another extension than before', async () => {
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

test('the package and its lock file have one new name, and the files keep their form', async () => {
  const root = await copyProject();
  await rename(root, acme);
  for (const file of ['package.json', 'package-lock.json']) {
    const [before, after] = await Promise.all(
      [project, root].map((folder) => readFile(join(folder, file), 'utf8')),
    );
    expect(after).toBe(before?.replaceAll('"name": "latchkey"', '"name": "acme-ign-in"'));
  }
});

test('an icon takes the place of the old one', async () => {
  const root = await copyProject();
  const icon = join(root, 'acme.svg');
  await writeFile(icon, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect(await rename(root, { ...acme, icon })).toContain('src/public/icons/latchkey.svg');
  expect(await readFile(join(root, 'src/public/icons/latchkey.svg'), 'utf8')).toContain('<svg');
});

test.each<[string, readonly string[], RegExp]>([
  ['no name', ['--id', 'a@b.example'], /--name/],
  ['a name of nothing but spaces', ['--name', '  ', '--id', 'a@b.example'], /--name/],
  ['a name that no store takes', ['--name', 'x'.repeat(76), '--id', 'a@b.example'], /75 characters/],
  ['no id', ['--name', 'Acme'], /--id/],
  ['an id that Firefox does not take', ['--name', 'Acme', '--id', 'acme'], /--id/],
  ['an icon that is not there', ['--name', 'Acme', '--id', 'a@b.example', '--icon', 'no.svg'], /no\.svg/],
  ['an option that it does not know', ['--title', 'Acme'], /Expected --name/],
])('%s is refused, with what is expected', (_title, args, expected) => {
  expect(() => readNewName(args)).toThrow(UsageError);
  expect(() => readNewName(args)).toThrow(expected);
});

test('an id may be a UUID in braces', () => {
  const id = '{0a1b2c3d-0000-4000-8000-0123456789ab}';
  expect(readNewName(['--name', ' Acme ', '--id', id])).toEqual({ name: 'Acme', geckoId: id, icon: null });
});
