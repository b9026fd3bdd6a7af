// The doctor examines a policy before a browser has it. The files in `policy` have its words.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, type Config } from '../../../src/config/config.ts';
import { FileError } from '../../../tools/build/parse-json.ts';
import { examinePolicyText } from '../../../tools/doctor/policy.ts';
import { printPolicy } from '../../../tools/doctor/print-policy.ts';
import type { ExtensionIds } from '../../../tools/redirect-uris.ts';
import { describeOutcomes } from '../../support/outcomes.ts';

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

const good = { version: 1, providers: [{ id: 'acme' }] };
const inChromium = (policies: object) => ({ '3rdparty': { extensions: policies } });
const inFirefox = (policies: object) => ({ policies: { '3rdparty': { Extensions: policies } } });

const browserFiles = ['linux-chromium.json', 'firefox-policies.json'];
const otherFiles = ['google-admin-console.json', 'windows.reg', 'macos.mobileconfig', 'latchkey.admx'];
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
  'the same as a text': { version: 1, json: JSON.stringify({ version: 1, providers: [{ id: 'acne' }] }) },
};

/** A policy with values that Chromium leaves out with their list, and Firefox doesn't. */
const typed = { version: 1, providers: [{ id: 'acme', audience: null, allowed: { verified: [true] } }] };

/** The files that the doctor examines, by the kind of answer. */
const cases: Readonly<Record<string, Parameters<typeof describeOutcomes>[0]>> = {
  samples: {
    ...Object.fromEntries([...browserFiles, ...otherFiles].map((file) => [file, say(readSample(file))])),
    ...Object.fromEntries(
      browserFiles.map((file) => [
        `${file} before its placeholders have been replaced`,
        say(readFileSync(join(samples, file), 'utf8')),
      ]),
    ),
    'rules for who may sign in': say({
      version: 1,
      managedBy: 'Acme IT',
      providers: [{ id: 'acme', allowed: { hd: ['acme.example', 'acme.test'], groups: ['staff'] } }],
    }),
  },
  mistakes: {
    ...Object.fromEntries(Object.entries(mistakes).map(([what, policy]) => [what, say(policy)])),
    'values that Chromium leaves out': say(inChromium({ [chromeId]: typed })),
    'the same in Firefox': say(inFirefox({ [firefoxId]: typed })),
    'the same as a text in Chromium': say(
      inChromium({ [chromeId]: { version: 1, json: JSON.stringify(typed) } }),
    ),
    'a flow that rules of the build allow': say(mistakes['a flow that the build does not have'], ids, {
      ...built,
      policyOrigins: ['https://id.tenant.example'],
    }),
  },
  extensions: {
    "another extension's id": say(inChromium({ [other]: good }), withoutEdge),
    'the id that a store gave': say(inChromium({ [edgeId]: good })),
    'the id that a store gave, which is not known': say(inChromium({ [edgeId]: good }), withoutEdge),
    'no key in manifest.json': say(inChromium({ [chromeId]: good }), { ...withoutEdge, chromeId: null }),
    'the settings of others in the file': say(
      {
        HomepageLocation: 'https://acme.example',
        ...inChromium({ ['d'.repeat(32)]: { toOverwrite: {} }, [chromeId]: good, [edgeId]: { nothing: 1 } }),
      },
      withoutEdge,
    ),
    'a second id, whose policy is not examined': say(
      inChromium({ [chromeId]: good, [edgeId]: { version: 2 } }),
      withoutEdge,
    ),
  },
  'no policy': {
    nothing: say(''),
    'no JSON': say('locked = true'),
    'a list': say([good]),
    'an empty object': say({}),
    'other settings': say({ HomepageLocation: 'x' }),
    'another extension alone': say(inChromium({ abc: { a: 1 } })),
    'no extension': say(inChromium({})),
    'the spelling of Firefox in Chromium’s form': say({ '3rdparty': { Extensions: { [chromeId]: good } } }),
    'the spelling of Chromium in Firefox’s form': say({
      policies: { '3rdparty': { extensions: { [firefoxId]: good } } },
    }),
    'a policies.json without a policy': say({ policies: {} }),
    'a key twice': say('{"version":1,"version":1}'),
    'too many levels': say('['.repeat(10_000)),
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

test('a provider that a file has for two browsers is examined once', () => {
  const file = inChromium({ [chromeId]: good, [edgeId]: good });
  expect(examine(file).inForce.map(({ id }) => id)).toEqual(['acme', 'other']);
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
