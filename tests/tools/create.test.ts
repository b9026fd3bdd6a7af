import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest, readPackage } from '../../tools/build/read-manifest.ts';
import { readJson } from '../../tools/build/read-text.ts';
import { readFolder } from '../../tools/build/zip.ts';
import { HelpRequest, UsageError } from '../../tools/command.ts';
import { create, readNewExtension } from '../../tools/create.ts';
import { makeFolder } from '../support/folder.ts';

const acme = { name: 'Acme $ign-in', geckoId: 'sign-in@acme.example', description: 'Shows your tasks.' };

/** Writes a new extension into an empty folder, with files in place of the packages. */
async function createIn(folder = join(makeFolder(), 'acme')) {
  const packages = makeFolder({ 'latchkey-1.2.3.tgz': 'a', 'latchkey-tools-1.2.3.tgz': 'b' });
  const files = await create(
    { folder, ...acme },
    {
      latchkey: join(packages, 'latchkey-1.2.3.tgz'),
      'latchkey-tools': join(packages, 'latchkey-tools-1.2.3.tgz'),
    },
  );
  return { folder, files };
}

test('a new extension has at most fifteen files and 250 lines', async () => {
  const { folder, files } = await createIn();
  expect([...readFolder(folder).keys()].toSorted()).toEqual(files);
  expect(files.length).toBeLessThanOrEqual(15);
  const texts = files
    .filter((file) => !file.endsWith('.tgz'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(texts.join('').split('\n').length).toBeLessThanOrEqual(250);
});

test('a new extension has its own name and identities, and the project’s versions of what it depends on', async () => {
  const { folder } = await createIn();
  expect(readPackage(folder).name).toBe('acme-ign-in');
  const { name, key, description, browser_specific_settings } = readJson(
    'manifest.json',
    folder,
  ) as ReturnType<typeof readManifest> & { readonly description: string };
  expect({ name, geckoId: browser_specific_settings.gecko.id, description }).toEqual(acme);
  expect(key).toMatch(/^MII/);
  expect(key).not.toBe(readManifest().key);
  const own = readJson('package.json', folder) as Record<string, Record<string, string>>;
  const project = readJson('package.json') as typeof own;
  expect(own['dependencies']).toEqual({
    latchkey: 'file:vendor/latchkey-1.2.3.tgz',
    react: project['dependencies']?.['react'],
    'react-dom': project['dependencies']?.['react-dom'],
  });
  const { 'latchkey-tools': tools, ...others } = own['devDependencies'] ?? {};
  expect(tools).toBe('file:vendor/latchkey-tools-1.2.3.tgz');
  for (const [each, range] of Object.entries(others)) expect(range).toBe(project['devDependencies']?.[each]);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# Acme \$ign-in\n/);
});

test('a new extension goes into no folder that has files, apart from those of git', async () => {
  const taken = makeFolder({ 'notes.txt': '' });
  await expect(createIn(taken)).rejects.toThrow(
    new UsageError(`${taken} isn't empty: it has notes.txt. Name a new folder.`),
  );
  expect([...readFolder(taken).keys()]).toEqual(['notes.txt']);
  await expect(createIn(makeFolder({ '.git/HEAD': '' }))).resolves.toBeDefined();
});

test('the command line names the folder, the name and the id', () => {
  const read = (...args: string[]) => readNewExtension(args, {});
  const expected = { folder: '../acme', name: 'Acme', geckoId: 'sign-in@acme.example' };
  expect(read('../acme', '--name', 'Acme', '--id', 'sign-in@acme.example')).toEqual(expected);
  expect(() => read('--name', 'Acme', '--id', 'sign-in@acme.example')).toThrow(
    /^The folder of the new extension is missing: npm run create -- \.\.\/acme /,
  );
  const described = read('../acme', '--name', 'Acme', '--id', expected.geckoId, '--description', 'Tasks.');
  expect(described).toEqual({ ...expected, description: 'Tasks.' });
  expect(() =>
    read('../acme', '--name', 'A', '--id', expected.geckoId, '--description', 'x'.repeat(133)),
  ).toThrow('--description: expected at most 132 characters.');
  expect(() => read('../acme', '--name', 'Acme', '--id', 'acme')).toThrow(
    /^--id: expected an id for Firefox/,
  );
  expect(() => read('../acme', '--id', 'sign-in@acme.example')).toThrow(
    /^--name: expected the product's name/,
  );
  expect(() => read('../acme', '--colour', 'red')).toThrow("Unknown option '--colour'");
  expect(() => read('--help')).toThrow(HelpRequest);
});
