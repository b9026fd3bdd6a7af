import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };
import { readIdentity, readProductName } from '../../tools/product.ts';

async function projectOf(files: Readonly<Record<string, object>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-product-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), JSON.stringify(content));
  }
  return root;
}

const messages = { extensionName: { message: 'Acme $$ign-in' } };

test.each([
  ['is the message of the default language', '__MSG_extensionName__', 'Acme $ign-in'],
  ['is the name in manifest.json if that is no message', 'Acme', 'Acme'],
  ['is what manifest.json says if the message is missing', '__MSG_otherName__', '__MSG_otherName__'],
])("the product's name %s", async (_title, name, expected) => {
  const root = await projectOf({
    'manifest.json': { ...manifest, name, default_locale: 'de' },
    'src/public/_locales/de/messages.json': messages,
  });
  expect(readProductName(root)).toBe(expected);
});

test('readIdentity reads the ids of manifest.json', async () => {
  const settings = { gecko: { id: 'sign-in@acme.example', strict_min_version: '142.0' } };
  const ids = { key: 'MIIB', browser_specific_settings: settings };
  const root = await projectOf({ 'manifest.json': { ...manifest, ...ids } });
  expect(readIdentity(root)).toMatchObject(ids);
});
