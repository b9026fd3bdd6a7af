import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FileError } from '../../tools/build/parse-json.ts';
import { UsageError } from '../../tools/command.ts';
import { redirectUris, type ExtensionIdentity } from '../../tools/redirect-uris.ts';
import { describeRename, readNewName, readProviders, rename } from '../../tools/rename.ts';

const project = resolve(import.meta.dirname, '../..');
const files = ['manifest.json', 'package.json', 'package-lock.json', 'src/public'];
const acme = { name: 'Acme $ign-in', geckoId: 'sign-in@acme.example', icon: null };
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"/>';
/** In place of a real key, which takes a third of a second to make. */
const createKey = () => Buffer.from('a public key').toString('base64');
const draw = async () => [{ file: 'src/public/icons/latchkey-16.png', content: 'drawn' }];

/** A copy of the files that a renaming changes. */
async function copyProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-rename-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const file of files) await cp(join(project, file), join(root, file), { recursive: true });
  return root;
}

const readText = (root: string, file: string) => readFile(join(root, file), 'utf8');
const readJson = async <T>(root: string, file: string) =>
  JSON.parse(await readFile(join(root, file), 'utf8')) as T;

test('rename writes the new name into every language, and escapes a dollar sign', async () => {
  const root = await copyProject();
  const changed = await rename(root, acme, draw, createKey);
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

test('rename leaves alone what a file manager has left, and changes a language that is a link', async () => {
  const root = await copyProject();
  const locales = join(root, 'src/public/_locales');
  await writeFile(join(locales, '.DS_Store'), '');
  await cp(join(locales, 'en'), join(root, 'british'), { recursive: true });
  await symlink(join(root, 'british'), join(locales, 'en_GB'), 'junction');
  const changed = await rename(root, acme, draw, createKey);
  expect(changed).toContain('src/public/_locales/en_GB/messages.json');
  expect(changed.filter((file) => file.includes('.DS_Store'))).toEqual([]);
});

test('rename names a file that is missing, and writes nothing', async () => {
  const root = await copyProject();
  await rm(join(root, 'manifest.json'));
  await expect(rename(root, acme, draw, createKey)).rejects.toThrow(
    new FileError(['manifest.json: there is no such file']),
  );
  expect(await readText(root, 'package.json')).toBe(await readText(project, 'package.json'));
});

test('rename gives the extension a new identity in both browsers', async () => {
  const root = await copyProject();
  await rename(root, acme, draw);
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
  await rename(root, acme, draw, createKey);
  const { name } = await readJson<{ readonly name: string }>(project, 'package.json');
  for (const file of ['package.json', 'package-lock.json']) {
    const [before, after] = await Promise.all(
      [project, root].map((folder) => readFile(join(folder, file), 'utf8')),
    );
    expect(after).toBe(before?.replaceAll(`"name": "${name}"`, '"name": "acme-ign-in"'));
  }
});

test('a renaming prints the changed files, the new redirect URIs of unpacked builds, and where those of stores come from', async () => {
  const root = await copyProject();
  const printed = describeRename(root, acme, await rename(root, acme, draw));
  const uris = redirectUris(await readJson<ExtensionIdentity>(root, 'manifest.json'), '<provider id>');
  expect(printed).toContain('The product is now called Acme $ign-in. Changed files:\n  src/public/_locales/');
  expect(printed).toContain(`for unpacked builds:
  Chrome, Edge: ${uris.chrome}
  Firefox:      ${uris.firefox}
Redirect URIs that you registered before no longer work.
A store gives a new item an id of its own`);
  for (const store of ['Chrome Web Store', 'Edge Add-ons', 'Firefox Add-ons'])
    expect(printed).toContain(store);
});

test('a renaming prints the redirect URIs of the configured providers, which replace those that were registered', async () => {
  const root = await copyProject();
  const changed = await rename(root, acme, draw);
  const loopback = { id: 'beta', firefoxRedirect: 'loopback' } as const;
  const printed = describeRename(root, acme, changed, [{ ...loopback, id: 'alpha' }, loopback]);
  const identity = await readJson<ExtensionIdentity>(root, 'manifest.json');
  for (const id of ['alpha', 'beta']) {
    const uris = redirectUris(identity, id, 'loopback');
    expect(printed).toContain(`  Chrome, Edge: ${uris.chrome}\n  Firefox:      ${uris.firefox}\n`);
  }
  expect(printed).not.toContain('/<provider id>\n');
  expect(printed).toContain('Redirect URIs that you registered before no longer work.');
});

test('rename replaces the icon, and what is drawn from it', async () => {
  const root = await copyProject();
  const changed = await rename(root, { ...acme, icon: svg }, draw, createKey);
  expect(changed.slice(-2)).toEqual(['src/public/icons/latchkey.svg', 'src/public/icons/latchkey-16.png']);
  expect(await readFile(join(root, 'src/public/icons/latchkey.svg'), 'utf8')).toBe(svg);
  expect(await readFile(join(root, 'src/public/icons/latchkey-16.png'), 'utf8')).toBe('drawn');
});

test('rename writes nothing if the icon cannot be drawn', async () => {
  const root = await copyProject();
  const drawing = rename(
    root,
    { ...acme, icon: svg },
    () => Promise.reject(new Error('No browser.')),
    createKey,
  );
  await expect(drawing).rejects.toThrow('No browser.');
  await expectUnchanged(root);
});

test('rename writes nothing if a file is not JSON, and names it', async () => {
  const root = await copyProject();
  await writeFile(join(root, 'package.json'), '{"name": ');
  await expect(rename(root, acme, draw, createKey)).rejects.toThrow(
    'package.json: not JSON. Nothing has been changed.',
  );
  await cp(join(project, 'package.json'), join(root, 'package.json'));
  await expectUnchanged(root);
});

test('rename gives an extension without a key one', async () => {
  const root = await copyProject();
  const { key: _key, ...keyless } = await readJson<ExtensionIdentity>(project, 'manifest.json');
  await writeFile(join(root, 'manifest.json'), JSON.stringify(keyless, null, 2));
  await rename(root, acme, draw, createKey);
  const after = await readJson<ExtensionIdentity>(root, 'manifest.json');
  expect(redirectUris(after, 'demo').chrome).toMatch(/^https:\/\/[a-p]{32}\.chromiumapp\.org\/demo$/);
});

test('rename keeps the formatting of every file that it changes', async () => {
  const root = await copyProject();
  const countOther = async (file: string) => {
    const lines = await Promise.all(
      [project, root].map(async (folder) => (await readText(folder, file)).split('\n')),
    );
    const [before = [], after = []] = lines;
    expect(after, `${file}`).toHaveLength(before.length);
    return after.filter((line, index) => line !== before[index]).length;
  };
  for (const file of await rename(root, acme, draw, createKey)) {
    const count = await countOther(file);
    expect(count, `${file}`).toBeLessThanOrEqual(2);
  }
});

async function expectUnchanged(root: string): Promise<void> {
  for (const file of [
    'manifest.json',
    'package.json',
    'package-lock.json',
    'src/public/_locales/en/messages.json',
  ]) {
    const [before, after] = await Promise.all([project, root].map((folder) => readText(folder, file)));
    expect(after, `${file}`).toBe(before);
  }
}

test.each<[string, readonly string[], RegExp]>([
  [
    'a command without options',
    [],
    /^Expected --name "Acme Sign-in" --id sign-in@acme\.example, and optionally --icon logo\.svg\.\n--id is .*, but no mailbox has to exist\.$/,
  ],
  ['a missing name', ['--id', 'a@b.example'], /--name/],
  ['a name of spaces only', ['--name', '  ', '--id', 'a@b.example'], /--name/],
  ['a name that is too long for a store', ['--name', 'x'.repeat(76), '--id', 'a@b.example'], /75 characters/],
  ['a name that shows nothing', ['--name', '\u200b', '--id', 'a@b.example'], /--name/],
  ['a name that turns the text around it', ['--name', 'Acme \u202e', '--id', 'a@b.example'], /--name/],
  ['a missing id', ['--name', 'Acme'], /--id/],
  ['an id that Firefox does not accept', ['--name', 'Acme', '--id', 'acme'], /--id/],
  ['a missing icon file', ['--name', 'Acme', '--id', 'a@b.example', '--icon', 'no.svg'], /no\.svg/],
  ['an unknown option', ['--title', 'Acme'], /Expected --name/],
])('readNewName rejects %s and says what it expects', (_title, args, expected) => {
  expect(() => readNewName(args, {})).toThrow(UsageError);
  expect(() => readNewName(args, {})).toThrow(expected);
});

test('readNewName rejects an icon without a size, before anything is changed', async () => {
  const root = await copyProject();
  const icon = join(root, 'acme.svg');
  await writeFile(icon, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const args = ['--name', 'Acme', '--id', 'a@b.example', '--icon', icon];
  expect(() => readNewName(args, {})).toThrow(`${icon}: expected a viewBox`);
});

test('readNewName says where "--" belongs if npm kept options for itself', () => {
  const environment = { npm_config_name: 'Acme', npm_config_icon: 'true', npm_lifecycle_event: 'rename' };
  expect(() => readNewName(['logo.svg'], environment)).toThrow(
    'npm kept --name, --icon for itself. Write "--" before the options: npm run rename -- --name "Acme Sign-in" --id sign-in@acme.example',
  );
});

test('readProviders finds those where the new redirect URIs are to be registered, and none in a file with a mistake', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'latchkey-rename-')), 'config.json');
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(dirname(file), { recursive: true, force: true });
  });
  vi.stubEnv('LATCHKEY_CONFIG', file);
  const demo = { id: 'demo', name: 'Demo', issuer: 'http://localhost:4455', clientId: 'latchkey-demo' };
  const own = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'client' };
  await writeFile(file, JSON.stringify({ providers: [demo, own] }));
  expect(readProviders().map(({ id }) => id)).toEqual(['acme']);
  await writeFile(file, '{');
  expect(readProviders()).toEqual([]);
});

test('readNewName accepts a UUID in braces as the id', () => {
  const id = '{0a1b2c3d-0000-4000-8000-0123456789ab}';
  expect(readNewName(['--name', ' Acme ', '--id', id], {})).toEqual({
    name: 'Acme',
    geckoId: id,
    icon: null,
  });
});
