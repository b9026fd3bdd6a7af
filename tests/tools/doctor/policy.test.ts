// The doctor examines a policy before a browser has it. The files in `policy` have its words.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { FileError, readWindowsText } from '../../../tools/build/read-text.ts';
import { examinePolicyText } from '../../../tools/doctor/policy.ts';
import { printPolicy } from '../../../tools/doctor/print.ts';
import type { ExtensionIds } from '../../../tools/redirect-uris.ts';
import { makeFolder } from '../../support/folder.ts';
import { describeOutcomes } from '../../support/outcomes.ts';
import { readConfig } from '../../support/samples.ts';

const samples = resolve(import.meta.dirname, '../../../docs/administrators');
const chromeId = 'abcdefghijklmnop'.repeat(2);
const edgeId = 'ponmlkjihgfedcba'.repeat(2);
const firefoxId = 'sign-in@acme.example';
const ids: ExtensionIds = { chromeId, edgeId, firefoxId };

const built = readConfig({
  providers: [
    { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'latchkey' },
    { id: 'other', name: 'Other', issuer: 'https://id.other.example', clientId: 'latchkey' },
  ],
});

/** A sample with the ids of the extension in it. */
const readSample = (file: string) =>
  readFileSync(join(samples, file), 'utf8')
    .replaceAll('CHROME_ID', chromeId)
    .replaceAll('EDGE_ID', edgeId)
    .replaceAll('FIREFOX_ID', firefoxId);

const examine = (policy: unknown, known = ids, config: Config = built) =>
  examinePolicyText(
    typeof policy === 'string' ? policy : JSON.stringify(policy),
    'policy.json',
    config,
    known,
  );

/** A function that returns the doctor's words about a policy file. */
const say =
  (policy: unknown, known = ids, config: Config = built) =>
  () =>
    printPolicy(examine(policy, known, config).report);

const good = { version: 1, locked: true, providers: [{ id: 'acme' }] };
const inChromium = (policies: object) => ({ '3rdparty': { extensions: policies } });
const inFirefox = (policies: object) => ({ policies: { '3rdparty': { Extensions: policies } } });

const withoutEdge = { ...ids, edgeId: null };
const other = 'c'.repeat(32);

/** Policies with a mistake, which a browser's file may have as well. */
const mistakes = {
  'a misspelled key': { version: 1, providers: [{ id: 'acme', isuer: 'https://id.acme.example' }] },
  'no version': { providers: [{ id: 'acme' }] },
  'a host that belongs to no one': {
    version: 1,
    providers: [{ id: 'acme', issuer: 'https://elsewhere.example' }],
  },
  'no one who may sign in': { version: 1, locked: true, providers: [] },
  'a text that is not JSON': { version: 1, json: '{' },
  'a flow that the build does not have': { version: 1, providers: [{ id: 'acme', deviceFlow: 'only' }] },
  'an incomplete provider that the build does not have': { version: 1, providers: [{ id: 'acne' }] },
};

/** A policy with values that Chromium leaves out with their list, and Firefox doesn't. */
const typed = { ...good, providers: [{ id: 'acme', audience: null, allowed: { verified: [true] } }] };

/** A .reg file in which a value of the extension's key is written like this. */
const toRegistry = (value: string) => {
  const key = `[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome\\3rdparty\\extensions\\${chromeId}\\policy]`;
  return `Windows Registry Editor Version 5.00\r\n\r\n${key}\r\n${value}\r\n`;
};

const macProfile = {
  PayloadType: 'Configuration',
  PayloadContent: [
    { PayloadType: `com.google.Chrome.extensions.${chromeId}`, PayloadVersion: 1, ...good },
    { PayloadType: `com.microsoft.Edge.extensions.${edgeId}`, PayloadVersion: 1, ...good },
    { PayloadType: 'org.mozilla.firefox', '3rdparty': { Extensions: { [firefoxId]: good } } },
    { PayloadType: 'com.apple.dock' },
    null,
  ],
};

/** As `profiles` writes it on macOS: https://developer.apple.com/documentation/devicemanagement/managedpreferences */
const preferences = {
  PayloadType: 'Configuration',
  PayloadContent: [
    {
      PayloadType: 'com.apple.ManagedClient.preferences',
      PayloadContent: {
        [`com.google.Chrome.extensions.${chromeId}`]: { Forced: [{ mcx_preference_settings: good }] },
        'org.mozilla.firefox': {
          Forced: [{ mcx_preference_settings: { '3rdparty': { Extensions: { [firefoxId]: good } } } }],
        },
        'com.apple.dock': { 'Set-Once': [{ mcx_preference_settings: { autohide: true } }] },
      },
    },
  ],
};

const withPolicies: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['linux-chromium.json', 'firefox-policies.json', 'google-admin-console.json', 'windows.reg'].map(
      (file) => [file, readSample(file)],
    ),
  ),
  'a configuration profile of macOS as JSON': macProfile,
  'a configuration profile of macOS with the preferences of several programs': preferences,
  // https://github.com/hackademix/noscript/issues/303
  'a managed storage manifest of Firefox': {
    name: firefoxId,
    description: 'ignored',
    type: 'storage',
    data: good,
  },
  'the preferences of Firefox on macOS as JSON': {
    EnterprisePoliciesEnabled: true,
    '3rdparty': { Extensions: { 'uBlock0@raymondhill.net': { toOverwrite: {} }, [firefoxId]: good } },
  },
  'a .reg file with settings of another extension, whose values have any form':
    `${toRegistry('"version"=dword:00000001\r\n"json"="{}"').replaceAll(chromeId, other)}"json"=hex(2):7b,00\r\n` +
    readSample('windows.reg').slice('Windows Registry Editor Version 5.00'.length),
};

test.each(Object.entries(withPolicies))('each policy for this extension is found in %s', (_form, file) => {
  for (const { addressee, problems, settings } of examine(file).report.policies) {
    expect(problems).toEqual([]);
    expect(['own', 'unknown']).toContain(addressee);
    expect(settings?.providers.map(({ id }) => id)).toEqual(['acme']);
    expect(settings?.notOffered.map(({ id }) => id)).toEqual(['other']);
  }
});

/** The files that the doctor examines, by the kind of answer. */
const cases: Readonly<Record<string, Parameters<typeof describeOutcomes>[0]>> = {
  policies: {
    'windows.reg': say(readSample('windows.reg')),
    'rules for who may sign in, of no known extension': say({
      version: 1,
      managedBy: 'Acme IT',
      providers: [{ id: 'acme', allowed: { hd: ['acme.example', 'acme.test'], groups: ['staff'] } }],
    }),
    'a sample before its placeholders have been replaced': say(
      readFileSync(join(samples, 'linux-chromium.json'), 'utf8'),
    ),
    'a misspelled key': say(mistakes['a misspelled key']),
    'an incomplete provider': say(mistakes['an incomplete provider that the build does not have']),
    'values that Chromium leaves out': say(inChromium({ [chromeId]: typed })),
    'the same in Firefox': say(inFirefox({ [firefoxId]: typed })),
    'keys that Chromium drops alone': say(
      inChromium({ [chromeId]: { ...good, locked: undefined, lockd: true, managedBy: 7 } }),
    ),
    "another extension's id, or one that a store gave and that is not known": say(
      inChromium({ [other]: good }),
      withoutEdge,
    ),
    'no key in manifest.json': say(inChromium({ [chromeId]: good }), { ...withoutEdge, chromeId: null }),
    'the settings of others in the file, and a second id, whose policy is not examined': say(
      {
        HomepageLocation: 'https://acme.example',
        ...inChromium({ ['d'.repeat(32)]: { toOverwrite: {} }, [chromeId]: good, [edgeId]: { version: 2 } }),
      },
      withoutEdge,
    ),
  },
  'no policy': {
    'a plist': say(readSample('macos.plist')),
    'a list': say([good]),
    'other settings': say({ HomepageLocation: 'x' }),
    'another extension alone': say(inChromium({ abc: { a: 1 } })),
    'no extension': say(inChromium({})),
    'the spelling of Firefox in Chromium’s form': say({ '3rdparty': { Extensions: { [chromeId]: good } } }),
    'a profile without a payload of a browser': say({ PayloadContent: [] }),
    'a .reg file without one': say(
      'Windows Registry Editor Version 5.00\n[HKEY_LOCAL_MACHINE\\SOFTWARE]\n"json"="{}"',
    ),
    'a quotation mark that is not escaped in a .reg file': say(toRegistry('"json"="{"version":1}"')),
    'a text that goes on in the next line': say(toRegistry('"json"="{\n}"')),
    'a value for each setting in a .reg file': say(toRegistry('"version"=dword:1\r\n"locked"=dword:1')),
    'a key for each provider': say(
      toRegistry('"version"=dword:1').replace('policy]', 'policy\\providers\\1]'),
    ),
  },
};

test.each(Object.entries(cases))('what the doctor says of files with: %s', async (part, said) => {
  await expect(describeOutcomes(said)).toMatchFileSnapshot(`policy/${part.replace(' ', '-')}.txt`);
});

test.each(Object.entries(mistakes))('a policy with a mistake has it in each form: %s', (_mistake, policy) => {
  const [plain, ...others] = [policy, inChromium({ [chromeId]: policy }), inFirefox({ [firefoxId]: policy })]
    .flatMap((file) => examine(file).report.policies)
    .map(({ problems, settings }) => ({ problems, settings }));
  expect(plain?.problems).not.toEqual([]);
  expect(plain?.settings).toBeNull();
  expect(others).toEqual([plain, plain]);
});

test('a provider that a file has for three browsers is examined once', () => {
  expect(examine(readSample('windows.reg')).inForce.map(({ id }) => id)).toEqual(['acme']);
});

describe('a hostile file', () => {
  const hostileTexts = ['\u001b[31mred', 'a\u202eb', 'a\nb', '__proto__', '', ' ', 'long '.repeat(5_000)];
  const values: readonly unknown[] = [null, true, 7, 'text', [], {}, [[]], { constructor: 1 }];

  test('is refused or examined, and never breaks the doctor', () => {
    const policies = values.flatMap((value) => [
      value,
      { version: value, providers: value },
      { version: 1, providers: [value] },
      { json: value },
      { version: 1, providers: [{ id: value, allowed: value, metadata: value }] },
    ]);
    const files = policies.flatMap((policy) => [
      policy,
      inChromium({ [chromeId]: policy }),
      inFirefox({ [firefoxId]: policy }),
      inChromium({ ['__proto__']: policy }),
      { '3rdparty': policy },
      { policies: policy },
      { PayloadContent: [policy] },
      { providers: { Value: policy } },
    ]);
    const outcomes = files.map((file) => {
      try {
        const { report } = examine(file);
        return printPolicy(report).length > 0 ? 'examined' : 'silent';
      } catch (error) {
        if (error instanceof FileError) return 'refused';
        throw error;
      }
    });
    expect(new Set(outcomes)).toEqual(new Set(['examined', 'refused']));
  });

  test('prints no control character and no long text of its own', () => {
    for (const text of hostileTexts) {
      const { report } = examine(
        inFirefox({
          [firefoxId]: { version: 1, managedBy: text, providers: [{ id: text, [text]: text }] },
          [`${text}`]: good,
        }),
      );
      const lines = printPolicy(report);
      // oxlint-disable-next-line no-control-regex -- that is what must not be there
      expect(lines.filter((line) => /[\0-\x1f\x7f\u202e]/.test(line))).toEqual([]);
      expect(lines.filter((line) => line.length > 1_000)).toEqual([]);
    }
  });
});

test('a registry file is read as Regedit exports it, in UTF-16', () => {
  const text = readSample('windows.reg');
  const encodings = {
    'little.reg': Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]),
    'big.reg': Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(text, 'utf16le').swap16()]),
    'little-without-mark.reg': Buffer.from(text, 'utf16le'),
    'big-without-mark.reg': Buffer.from(text, 'utf16le').swap16(),
    'utf-8.reg': Buffer.from(`\ufeff${text}`),
  };
  for (const [name, bytes] of Object.entries(encodings)) {
    const path = join(makeFolder({}), name);
    writeFileSync(path, bytes);
    expect(examine(readWindowsText(path)).report.policies.map(({ addressee }) => addressee)).toEqual([
      'own',
      'own',
      'own',
    ]);
  }
});
