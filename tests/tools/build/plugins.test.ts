import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { toConfigModule, toLanguagesModule } from '../../../tools/build/plugins.ts';
import { acme } from '../../support/samples.ts';

/** A project with these texts as its messages. */
function projectOf(messages: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'latchkey-plugins-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [language, text] of Object.entries(messages)) {
    const file = join(root, `src/public/_locales/${language}/messages.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return root;
}

test('the module of the languages holds the messages of each, and watches their files', () => {
  const root = projectOf({ de: '\uFEFF{ "a": { "message": "A" } }', en: '{}' });
  const watched: string[] = [];
  expect(toLanguagesModule(root, (file) => watched.push(file))).toBe(
    'export default {"de": {"a":{"message":"A"}},"en": {}};',
  );
  expect(watched).toHaveLength(2);
});

test('the module of the languages leaves out what a file manager has left', () => {
  const root = projectOf({ en: '{}' });
  writeFileSync(join(root, 'src/public/_locales/.DS_Store'), '');
  expect(toLanguagesModule(root, () => undefined)).toBe('export default {"en": {}};');
});

test('the module of the languages names the file, line and column of a mistake in a message file', () => {
  const root = projectOf({ de: '{\n  "a": { "message": "A" },\n}', en: '{}' });
  expect(() => toLanguagesModule(root, () => {})).toThrow(
    /^src\/public\/_locales\/de\/messages\.json:3:1: not JSON: expected a key in double quotes$/,
  );
});

const userApi = {
  scope: '',
  metadata: {
    authorization_endpoint: 'https://id.acme.example/authorize',
    token_endpoint: 'https://id.acme.example/token',
  },
  userApi: { url: 'https://id.acme.example/me', subject: 'id' },
};

test.each([
  [[{}], []],
  [[{}, { id: 'b', responseType: 'id_token' }], ['usesIdTokenResponse']],
  [[{}, { id: 'b', firefoxRedirect: 'loopback' }], ['usesLoopbackRedirect']],
  [[{}, { id: 'b', ...userApi }], ['usesUserApi']],
  [[{}, { id: 'b', apis: [{ origins: ['https://pay.acme.example'], audience: 'pay' }] }], ['usesApis']],
  [
    [
      {},
      {
        id: 'b',
        deviceFlow: 'only',
        metadata: { device_authorization_endpoint: 'https://id.acme.example/d' },
      },
    ],
    ['usesDeviceFlow'],
  ],
])('the module of the configuration says which parts %j needs', (changes, needed) => {
  const config = readConfig({ providers: changes.map((change) => ({ ...acme, ...change })) });
  const lines = toConfigModule(config).split('\n');
  expect(lines).toContain(`export const providers = ${JSON.stringify(config.providers)};`);
  expect(lines).toContain('export const persistence = "device";');
  for (const name of [
    'usesIdTokenResponse',
    'usesLoopbackRedirect',
    'usesUserApi',
    'usesDeviceFlow',
    'usesApis',
  ]) {
    expect(lines).toContain(`export const ${name} = ${needed.includes(name)};`);
  }
});
