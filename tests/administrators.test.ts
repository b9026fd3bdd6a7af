// The samples for administrators hold a policy that the extension reads, and their page says what it does.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allRules } from '../src/config/config.ts';
import { readPolicy } from '../src/config/policy.ts';
import { parsePolicyFile } from '../tools/doctor/policy.ts';
import { parsePlist, unescapeXml } from './support/plist.ts';
import { readConfig } from './support/samples.ts';

const folder = resolve(import.meta.dirname, '../docs/administrators');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const page = readFileSync(resolve(folder, '../administrators.md'), 'utf8');

/** The policies in a file, each with a title, as the doctor finds them. */
const find = (file: string, text = read(file)) =>
  parsePolicyFile(text, file).found.map(
    ({ extensionId, policy }) => [`${file}, ${extensionId}`, policy] as const,
  );

const registryKeys = [...read('windows.reg').matchAll(/^\[(.+)\]$/gm)].map(([, key = '']) => key);
const intuneValues = [...read('intune.txt').matchAll(/<data id="json" value="([^"]*)"\/>/g)];

const [, scriptKey = '', scriptVersion, scriptValue = ''] =
  /^\$key = 'HKLM:\\(.*)'$[^]*-Name 'version' -Value (\d+) -Type DWord$[^]*-Name 'json' -Value '(.*)'$/m.exec(
    read('intune.txt'),
  ) ?? [];

const samples: readonly (readonly [string, unknown])[] = [
  ...['windows.reg', 'linux-chromium.json', 'firefox-policies.json', 'google-admin-console.json'].flatMap(
    (file) => find(file),
  ),
  ...find('macos.mobileconfig', JSON.stringify(parsePlist(read('macos.mobileconfig')))),
  ...intuneValues.map(
    ([, json = ''], index) => [`intune.txt, ${index + 1}`, { version: 1, json: unescapeXml(json) }] as const,
  ),
  ['intune.txt, the script', { version: Number(scriptVersion), json: scriptValue }],
  [
    'latchkey.adml',
    { version: 1, json: unescapeXml(/Example: (.*)<\/string>/.exec(read('en-US/latchkey.adml'))?.[1] ?? '') },
  ],
  ['administrators.md', JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '')],
  ['macos.plist', parsePlist(read('macos.plist'))],
];

const built = readConfig({
  providers: [
    { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'latchkey' },
    { id: 'other', name: 'Other', issuer: 'https://id.other.example', clientId: 'latchkey' },
  ],
});

test.each(samples)('the policy in %s is read', (_file, policy) => {
  expect(readPolicy(policy, built, allRules)).toMatchObject({
    outcome: 'read',
    policy: { managedBy: 'Acme IT', providers: [{ id: 'acme', allowed: { hd: ['acme.example'] } }] },
  });
});

test('every sample is read, and named on the page for administrators', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.\w+$/.test(file),
  );
  expect(files.length).toBeGreaterThan(8);
  expect(samples).toHaveLength(15);
  for (const file of files) expect(page).toContain(`administrators/${file.replaceAll('\\', '/')}`);
});

test('the script for Edge writes the key that Edge reads', () => {
  expect(registryKeys).toContain(`HKEY_LOCAL_MACHINE\\${scriptKey}`);
});

describe('the template for group policies', () => {
  const [admx, adml] = [read('latchkey.admx'), read('en-US/latchkey.adml')];
  const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

  test('writes the value that the browsers read', () => {
    const keys = all(admx, /\bkey="([^"]+)"/g);
    expect(keys.map((key) => `HKEY_LOCAL_MACHINE\\${key}`.toLowerCase()).toSorted()).toEqual(
      registryKeys.map((key) => key.toLowerCase()).toSorted(),
    );
    expect(all(admx, /valueName="([^"]+)"/g)).toEqual([1, 2, 3].flatMap(() => ['version', 'json']));
    expect(all(admx, /<enabledValue>\s*<decimal value="([^"]+)"/g)).toEqual(['1', '1', '1']);
  });

  test('has the part that Intune does not import between two comments, and is a template without it', () => {
    const rest = admx.replace(/<!-- For Intune, delete from here -->[^]*?<!-- to here: .*? -->/, '');
    expect(all(rest, /<policy\s+name="(\w+)"/g)).toEqual(['ChromePolicy', 'FirefoxPolicy']);
    expect(all(rest, /(<\/policy>)/g)).toHaveLength(2);
    expect(rest).not.toMatch(/Software\\Policies\\Microsoft/i);
  });

  test('has every text that it uses', () => {
    const strings = all(adml, /<string id="([^"]+)"/g);
    for (const used of all(admx, /\$\(string\.(\w+)\)/g)) expect(strings).toContain(used);
    const presentations = all(adml, /<presentation id="([^"]+)"/g);
    for (const used of all(admx, /\$\(presentation\.(\w+)\)/g)) expect(presentations).toContain(used);
  });
});
