// The samples for administrators hold a policy that the extension reads, and their page says what it does.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toReport } from '../src/bridge/report/report.ts';
import { firstBoard } from '../src/bridge/session/board.ts';
import { allRules, readConfig } from '../src/config/config.ts';
import { readPolicy } from '../src/config/policy.ts';
import { FileError } from '../tools/build/parse-json.ts';
import { examinePolicyText } from '../tools/doctor/policy.ts';
import { parsePolicyFile } from '../tools/doctor/policy-forms.ts';
import { printPolicy } from '../tools/doctor/print-policy.ts';
import { redirectUris } from '../tools/redirect-uris.ts';
import { toRead, whatHappened, whyItFailed } from './support/english.ts';
import { parsePlist } from './support/plist.ts';

const folder = resolve(import.meta.dirname, '../docs/administrators');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const page = readFileSync(resolve(folder, '../administrators.md'), 'utf8');

type Members = Readonly<Record<string, unknown>>;

/** The value at the end of `path`. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, key) => (inner as Members)[key], value);
}

const unescapeXml = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The values under each key of a registry file. */
function readRegistry(text: string): ReadonlyMap<string, unknown> {
  const keys = [...text.matchAll(/^\[(.+)\]\n((?:.+\n)+)/gm)];
  return new Map(
    keys.map(([, key = '', values = '']) => {
      const [, written = ''] = /^"json"="(.*)"$/m.exec(values) ?? [];
      const [, version] = /^"version"=dword:(\d+)$/m.exec(values) ?? [];
      return [key, { version: Number(version), json: written.replace(/\\(["\\])/g, '$1') }];
    }),
  );
}

const registry = readRegistry(read('windows.reg'));
const mobileconfig = parsePlist(read('macos.mobileconfig')) as {
  readonly PayloadContent: readonly Members[];
};
const intuneValues = [...read('intune.txt').matchAll(/<data id="json" value="([^"]*)"\/>/g)];

const [, scriptKey = '', scriptVersion, scriptValue = ''] =
  /^\$key = 'HKLM:\\(.*)'$[^]*-Name 'version' -Value (\d+) -Type DWord$[^]*-Name 'json' -Value '(.*)'$/m.exec(
    read('intune.txt'),
  ) ?? [];

/** Keeps the policy in a payload, and leaves out the members of the payload's own form. */
const isOwn = ([key]: readonly [string, unknown]) => !key.startsWith('Payload');
const contentOf = (payload: Members | undefined) =>
  Object.fromEntries(Object.entries(payload ?? {}).filter(isOwn));

const samples: readonly (readonly [string, unknown])[] = [
  ...[...registry].map(([key, policy]) => [`windows.reg, ${key}`, policy] as const),
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
  ['macos.mobileconfig, Chrome', contentOf(mobileconfig.PayloadContent[0])],
  ['macos.mobileconfig, Edge', contentOf(mobileconfig.PayloadContent[1])],
  ['macos.mobileconfig, Firefox', at(mobileconfig.PayloadContent[2], '3rdparty', 'Extensions', 'FIREFOX_ID')],
  ['linux-chromium.json', at(JSON.parse(read('linux-chromium.json')), '3rdparty', 'extensions', 'CHROME_ID')],
  [
    'firefox-policies.json',
    at(JSON.parse(read('firefox-policies.json')), 'policies', '3rdparty', 'Extensions', 'FIREFOX_ID'),
  ],
  [
    'google-admin-console.json',
    Object.fromEntries(
      Object.entries(JSON.parse(read('google-admin-console.json')) as Record<string, Members>).map(
        ([key, { Value }]) => [key, Value],
      ),
    ),
  ],
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
  for (const file of files) expect(page).toContain(`administrators/${file.replaceAll('\\', '/')}`);
});

test('each browser has a placeholder of its own, because the stores give other ids', () => {
  expect(
    [...registry.keys()].map((key) => key.replace('HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\', '')),
  ).toEqual([
    String.raw`Google\Chrome\3rdparty\extensions\CHROME_ID\policy`,
    String.raw`Microsoft\Edge\3rdparty\extensions\EDGE_ID\policy`,
    String.raw`Mozilla\Firefox\3rdparty\Extensions\FIREFOX_ID`,
  ]);
  expect(mobileconfig.PayloadContent.map(({ PayloadType }) => PayloadType)).toEqual([
    'com.google.Chrome.extensions.CHROME_ID',
    'com.microsoft.Edge.extensions.EDGE_ID',
    'org.mozilla.firefox',
  ]);
});

describe('docs/administrators.md', () => {
  const unwrapped = page.replaceAll(/\s+/g, ' ');

  test('shows a report as the extension writes it', () => {
    const report = toReport(
      ['2026-03-02T09:00:00.000Z policy: applied', '2026-03-02T09:29:58.000Z policy: refused'],
      {
        nowMs: Date.parse('2026-03-02T09:30:00Z'),
        product: 'Latchkey',
        version: '1.0.0',
        extensionId: 'mccmlgehmoicaeilcpoogfaohefhnoia',
        browser: 'Chromium 156.0.1 on linux, x86-64',
        language: 'en-US',
        persistence: 'device',
        board: {
          ...firstBoard([{ id: 'acme', name: 'Acme', endsSession: true }]),
          managed: true,
          policyProblem: 'providers[0].isuer: unknown key; did you mean "issuer"?',
        },
      },
    );
    expect(page).toContain(`\`\`\`text\n${report}\`\`\``);
  });

  test('shows what the doctor says about a sample', () => {
    const ids = { chromeId: 'mccmlgehmoicaeilcpoogfaohefhnoia', edgeId: null, firefoxId: null };
    const policy = read('linux-chromium.json').replace('CHROME_ID', ids.chromeId);
    const { report } = examinePolicyText(policy, 'linux-chromium.json', built, ids);
    expect(page).toContain(`\`\`\`text\n${printPolicy(report).join('\n')}\n\`\`\``);
  });

  test('names the forms of a policy that the doctor reads, and the others', () => {
    const [, section = ''] = /\n## Check a policy before the rollout\n([^]*?)\n## /.exec(page) ?? [];
    const [, readHere = '', notRead = ''] =
      /\*\*Read\*\*([^]*?)\*\*Not read\*\*([^]*?)\n- /.exec(section) ?? [];
    for (const file of [
      'linux-chromium.json',
      'firefox-policies.json',
      'google-admin-console.json',
      'windows.reg',
    ]) {
      expect(readHere).toContain(`\`${file}\``);
      expect(parsePolicyFile(read(file), file).found.length).toBeGreaterThan(0);
    }
    expect(notRead).toContain('XML');
    for (const file of ['macos.plist', 'macos.mobileconfig', 'intune.txt', 'latchkey.admx'])
      expect(() => parsePolicyFile(read(file), file)).toThrow(FileError);
  });

  test('quotes what the popup says', () => {
    for (const code of ['provider-misconfigured', 'not-permitted'] as const)
      expect(page).toContain(`"${toRead(whatHappened(code))}"`);
    const sentence = whyItFailed({ cause: 'redirect-uri', certainty: 'known' });
    expect(page).toContain(`"${sentence}"`);
  });

  test.each([
    ['a misspelled key', { version: 1, providers: [{ id: 'acme', isuer: 'https://id.acme.example' }] }],
    [
      'a host that belongs to no one',
      { version: 1, providers: [{ id: 'acme', issuer: 'https://elsewhere.example' }] },
    ],
    ['a flow that the build lacks', { version: 1, providers: [{ id: 'acme', deviceFlow: 'only' }] }],
    ['no version', { providers: [] }],
    ['no list', { version: 1 }],
  ])('quotes the message for %s', (_mistake, policy) => {
    const reading = readPolicy(policy, built, allRules);
    const problems = reading.outcome === 'refused' ? reading.problems : [];
    // The path of the mistake and the value that was found depend on the policy.
    const quoted = problems.map((problem) => /expected [^;]*|.*unknown key.*/.exec(problem)?.[0] ?? problem);
    expect(quoted).not.toEqual([]);
    for (const message of quoted) expect(unwrapped).toContain(message);
  });

  test('says how Firefox makes its redirect URI, and where Chrome has its own', () => {
    const id = 'latchkey@latchkey.example';
    const uris = redirectUris({ key: '', browser_specific_settings: { gecko: { id } } }, 'acme');
    const hash = createHash('sha1').update(id).digest('hex');
    expect(page).toContain('`https://HASH.extensions.allizom.org/<id>`');
    expect(page).toContain('`printf %s FIREFOX_ID | sha1sum`');
    expect(uris.firefox).toBe(`https://${hash}.extensions.allizom.org/acme`);
    expect(page).toContain('`https://CHROME_ID.chromiumapp.org/<id>`');
    expect(uris.chrome).toMatch(/^https:\/\/[a-p]{32}\.chromiumapp\.org\/acme$/);
  });
});

test('the script for Edge writes the key that Edge reads', () => {
  expect([...registry.keys()]).toContain(`HKEY_LOCAL_MACHINE\\${scriptKey}`);
});

describe('the template for group policies', () => {
  const [admx, adml] = [read('latchkey.admx'), read('en-US/latchkey.adml')];
  const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

  test('writes the value that the browsers read', () => {
    const keys = all(admx, /\bkey="([^"]+)"/g);
    expect(keys.map((key) => `HKEY_LOCAL_MACHINE\\${key}`.toLowerCase()).toSorted()).toEqual(
      [...registry.keys()].map((key) => key.toLowerCase()).toSorted(),
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
