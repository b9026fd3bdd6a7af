// The doctor examines a policy before a browser has it.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, type Config } from '../../../src/config/config.ts';
import { FileError } from '../../../tools/build/parse-json.ts';
import { examinePolicyText } from '../../../tools/doctor/policy.ts';
import { printPolicy } from '../../../tools/doctor/print-policy.ts';
import type { ExtensionIds } from '../../../tools/redirect-uris.ts';

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

/** The problems that the file as a whole has. */
function refusal(policy: unknown, known = ids): readonly string[] {
  try {
    examine(policy, known);
  } catch (error) {
    if (error instanceof FileError) return error.problems;
    throw error;
  }
  throw new Error('The file was not refused.');
}

const good = { version: 1, providers: [{ id: 'acme' }] };
const inChromium = (policies: object) => ({ '3rdparty': { extensions: policies } });
const inFirefox = (policies: object) => ({ policies: { '3rdparty': { Extensions: policies } } });

describe('a sample of docs/administrators', () => {
  test.each([
    ['linux-chromium.json', ['chromium'], 'own'],
    ['firefox-policies.json', ['firefox'], 'own'],
    ['google-admin-console.json', ['chromium'], 'unknown'],
    ['windows.reg', ['chromium', 'chromium', 'firefox'], 'own'],
  ])('%s is read, with what it brings about', (file, browsers, addressee) => {
    const { report, inForce } = examine(readSample(file));
    expect(report.policies.map(({ browser }) => browser)).toEqual(browsers);
    for (const policy of report.policies) {
      expect(policy).toMatchObject({
        addressee,
        problems: [],
        settings: {
          managedBy: 'Acme IT',
          persistence: 'device',
          autoSignIn: 'off',
          providers: [{ id: 'acme', allowed: { hd: ['acme.example'] } }],
          notOffered: [{ id: 'other', name: 'Other' }],
        },
      });
    }
    // The same provider in three browsers is examined once.
    expect(inForce.map(({ id }) => id)).toEqual(['acme']);
  });

  test.each(['linux-chromium.json', 'firefox-policies.json', 'windows.reg'])(
    '%s is not right before its placeholders have been replaced',
    (file) => {
      const { report } = examine(readFileSync(join(samples, file), 'utf8'));
      expect(new Set(report.policies.map(({ addressee }) => addressee))).toEqual(new Set(['placeholder']));
      expect(printPolicy(report).join('\n')).toMatch(/error +The ID is still the placeholder of the sample/);
    },
  );

  test.each(['macos.plist', 'macos.mobileconfig', 'latchkey.admx'])(
    '%s is refused, with a way to make JSON of it',
    (file) => {
      expect(refusal(readSample(file))).toEqual([
        expect.stringMatching(/^policy\.json: found XML; expected .*plutil -convert json -o policy\.json/),
      ]);
    },
  );
});

test('a configuration profile of macOS is read as JSON, with the policy of each browser', () => {
  const profile = {
    PayloadType: 'Configuration',
    PayloadContent: [
      { PayloadType: `com.google.Chrome.extensions.${chromeId}`, PayloadVersion: 1, ...good },
      { PayloadType: `com.microsoft.Edge.extensions.${edgeId}`, PayloadVersion: 1, ...good },
      { PayloadType: 'org.mozilla.firefox', '3rdparty': { Extensions: { [firefoxId]: good } } },
      { PayloadType: 'com.apple.dock' },
      null,
    ],
  };
  const { policies } = examine(profile).report;
  expect(policies.map(({ extensionId }) => extensionId)).toEqual([chromeId, edgeId, firefoxId]);
  expect(policies.flatMap(({ problems }) => problems)).toEqual([]);
});

describe('a policy with a mistake', () => {
  test.each([
    [
      'a misspelled key',
      { version: 1, providers: [{ id: 'acme', isuer: 'https://id.acme.example' }] },
      'providers[0].isuer: unknown key; did you mean "issuer"?',
    ],
    ['no version', { providers: [{ id: 'acme' }] }, /^version: missing; expected 1/],
    [
      'a host that belongs to no one',
      { version: 1, providers: [{ id: 'acme', issuer: 'https://elsewhere.example' }] },
      /"policyOrigins"/,
    ],
    [
      'no one who may sign in',
      { version: 1, locked: true, providers: [] },
      /^providers: found an empty list/,
    ],
    ['a text that is not JSON', { version: 1, json: '{' }, /^json: expected the policy as JSON/],
  ])('names %s, in each form', (_mistake, policy, problem) => {
    for (const file of [policy, inChromium({ [chromeId]: policy }), inFirefox({ [firefoxId]: policy })]) {
      const [examined] = examine(file).report.policies;
      expect(examined?.settings).toBeNull();
      expect(examined?.problems).toContainEqual(
        typeof problem === 'string' ? problem : expect.stringMatching(problem),
      );
    }
  });

  test('names a value that Chromium would leave out with its list, and Firefox would not', () => {
    const policy = { version: 1, providers: [{ id: 'acme', audience: null, allowed: { verified: [true] } }] };
    expect(examine(inChromium({ [chromeId]: policy })).report.policies[0]?.problems).toEqual([
      expect.stringMatching(
        /^providers\[0\]\.audience: found null; Chrome and Edge hand over only a text here.*"json", beside "version"$/,
      ),
      expect.stringMatching(/^providers\[0\]\.allowed\.verified\[0\]: found true; .* only a text here/),
    ]);
    expect(examine(inFirefox({ [firefoxId]: policy })).report.policies[0]?.problems).toEqual([]);
    const asText = inChromium({ [chromeId]: { version: 1, json: JSON.stringify(policy) } });
    expect(examine(asText).report.policies[0]?.problems).toEqual([]);
  });

  test('says that a provider which the build does not have has to be complete', () => {
    const policy = { version: 1, providers: [{ id: 'acne' }] };
    for (const file of [policy, { version: 1, json: JSON.stringify(policy) }]) {
      const { report } = examine(file);
      expect(report.policies).toMatchObject([{ newIds: ['acne'], settings: null }]);
      expect(printPolicy(report).join('\n')).toContain('The build has no provider "acne".');
    }
  });

  test('refuses a flow that the build does not have, as its worker does', () => {
    const policy = { version: 1, providers: [{ id: 'acme', deviceFlow: 'only' }] };
    expect(examine(policy).report.policies[0]?.problems[0]).toMatch(
      /^providers\[0\]\.deviceFlow: expected a setting/,
    );
    const withOrigins = { ...built, policyOrigins: ['https://id.tenant.example'] };
    expect(examine(policy, ids, withOrigins).report.policies[0]?.problems).toEqual([]);
  });
});

describe('the extension that a policy is for', () => {
  test('is another one, if its id is neither of the extension’s own', () => {
    const other = 'c'.repeat(32);
    const { report } = examine(inChromium({ [other]: good }), { ...ids, edgeId: null });
    expect(report.policies).toMatchObject([{ extensionId: other, addressee: 'other', problems: [] }]);
    const printed = printPolicy(report).join(' ').replaceAll(/\s+/g, ' ');
    expect(printed).toContain(`The ID is another extension's: this one has ${chromeId}.`);
    expect(printed).toContain('name that: --chrome-id or --edge-id');
  });

  test('may be known by the id that a store gave', () => {
    expect(examine(inChromium({ [edgeId]: good })).report.policies[0]?.addressee).toBe('own');
    const { report } = examine(inChromium({ [edgeId]: good }), { ...ids, edgeId: null });
    expect(report.policies[0]?.addressee).toBe('other');
  });

  test('is not known for Chromium without a key in manifest.json', () => {
    const { report } = examine(inChromium({ [chromeId]: good }), { ...ids, chromeId: null, edgeId: null });
    expect(report.policies[0]?.addressee).toBe('unknown');
    expect(printPolicy(report).join('\n')).toContain('whether the ID is right');
  });

  test('is found among the others of a browser’s file, which are left alone', () => {
    const { report } = examine(
      {
        HomepageLocation: 'https://acme.example',
        ...inChromium({ ['d'.repeat(32)]: { toOverwrite: {} }, [chromeId]: good, [edgeId]: { nothing: 1 } }),
      },
      { ...ids, edgeId: null },
    );
    expect(report.policies.map(({ extensionId }) => extensionId)).toEqual([chromeId]);
    expect(report.beside).toEqual([]);
  });

  test('may have a second id, which is told and not examined', () => {
    const { report } = examine(inChromium({ [chromeId]: good, [edgeId]: { version: 2 } }), {
      ...ids,
      edgeId: null,
    });
    expect(report.policies).toHaveLength(1);
    expect(report.beside).toEqual([edgeId]);
    expect(printPolicy(report).join('\n')).toContain(edgeId);
  });
});

describe('a file without a policy for the extension', () => {
  test.each<[string, unknown, RegExp]>([
    ['nothing', '', /^policy\.json: found an empty file; expected JSON$/],
    ['no JSON', 'locked = true', /^policy\.json:1:1: not JSON/],
    ['a list', [good], /^policy\.json: found no object; expected the policy itself, the JSON of Chromium/],
    ['an empty object', {}, /^policy\.json: found no policy for an extension; .*"version" and "providers"$/],
    ['other settings', { HomepageLocation: 'x' }, /^policy\.json: found no policy for an extension/],
    [
      'another extension alone',
      inChromium({ abc: { a: 1 } }),
      /found no policy for this extension, but for "abc"; expected its id/,
    ],
    ['no extension', inChromium({}), /^policy\.json: 3rdparty\.extensions: found no policy/],
    [
      'the spelling of Firefox in Chromium’s form',
      { '3rdparty': { Extensions: { [chromeId]: good } } },
      /^policy\.json: 3rdparty\.extensions: found nothing; .* exactly this spelling$/,
    ],
    [
      'the spelling of Chromium in Firefox’s form',
      { policies: { '3rdparty': { extensions: { [firefoxId]: good } } } },
      /^policy\.json: policies\.3rdparty\.Extensions: found nothing/,
    ],
    [
      'a policies.json without a policy',
      { policies: {} },
      /^policy\.json: policies\.3rdparty\.Extensions: found nothing/,
    ],
    [
      'a profile without a payload of a browser',
      { PayloadContent: [] },
      /found no policy for this extension, but for no extension at all/,
    ],
    [
      'a .reg file without one',
      'Windows Registry Editor Version 5.00\n[HKEY_LOCAL_MACHINE\\SOFTWARE]\n"json"="{}"',
      /^policy\.json: found no policy of an extension; expected a key/,
    ],
    ['a key twice', '{"version":1,"version":1}', /^policy\.json:1:14: version: duplicate key/],
  ])('is refused: %s', (_what, file, message) => {
    expect(refusal(file)).toEqual([expect.stringMatching(message)]);
  });

  test.each([
    ['a quotation mark that is not escaped', '"json"="{"version":1}"'],
    ['a text that goes on in the next line', '"json"="{\n}"'],
    ['a number', '"json"=dword:00000001'],
    ['a backslash at its end', '"json"="{\\"'],
  ])('is refused in a .reg file with %s, and the line is named', (_what, value) => {
    const key = `[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome\\3rdparty\\extensions\\${chromeId}\\policy]`;
    expect(refusal(`Windows Registry Editor Version 5.00\r\n\r\n${key}\r\n${value}\r\n`)).toEqual([
      expect.stringMatching(/^policy\.json:4: "json": found a value that Windows does not read as one text/),
    ]);
  });
});

test('a .reg file is refused without the version beside the text', () => {
  const { report } = examine(readSample('windows.reg').replaceAll('"version"=dword:00000001\n', ''));
  for (const { problems } of report.policies)
    expect(problems).toEqual([expect.stringMatching(/^json: expected .* beside "json" the key "version"/)]);
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

  test('is refused if it is nested too deeply', () => {
    expect(refusal('['.repeat(10_000))[0]).toMatch(/nested too deeply/);
  });
});
