// The whole command, in this process, against the demo provider.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FileError } from '../../../tools/build/parse-json.ts';
import { UsageError } from '../../../tools/command.ts';
import { PortTakenError } from '../../../tools/demo-provider/loopback.ts';
import { startDemoProvider, type DemoProvider } from '../../../tools/demo-provider/provider.ts';
import type { Report } from '../../../tools/doctor/report.ts';
import { readDoctorOptions, runDoctor, type DoctorOptions } from '../../../tools/doctor.ts';
import { readIdentity } from '../../../tools/product.ts';
import { redirectUris } from '../../../tools/redirect-uris.ts';

const online: DoctorOptions = {
  format: 'json',
  mode: 'online',
  edgeId: null,
  ids: null,
  policyPath: null,
  question: null,
};

async function useConfig(text: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-doctor-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'config.json');
  await writeFile(path, text);
  vi.stubEnv('LATCHKEY_CONFIG', path);
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function useProvider(settings: object): Promise<void> {
  const provider = { id: 'local', name: 'Local', clientId: 'latchkey-demo', ...settings };
  await useConfig(JSON.stringify({ providers: [provider] }));
}

/** A demo provider that knows some redirect URIs, named in the configuration. */
async function useDemoProvider(uris: readonly string[], settings: object = {}): Promise<DemoProvider> {
  const demo = await startDemoProvider({ redirectUris: uris });
  onTestFinished(() => demo.close());
  await useProvider({ issuer: demo.issuer, ...settings });
  return demo;
}

/** Runs the command. Returns its report and the error that ends it, or null. */
async function run(
  options = online,
  start?: typeof startDemoProvider,
): Promise<{ report: Report; printed: string; error: unknown }> {
  const printed: string[] = [];
  const error: unknown = await runDoctor(
    options,
    () => undefined,
    (text) => printed.push(text),
    start,
  ).then(
    () => null,
    (failure: unknown) => failure,
  );
  const text = printed.join('\n');
  return { printed: text, report: JSON.parse(text.startsWith('{') ? text : 'null') as Report, error };
}

const own = redirectUris(readIdentity(), 'local');

describe('npm run doctor', () => {
  test('finds nothing wrong with the demo provider', async () => {
    const demo = await useDemoProvider(Object.values(own));
    const { report, error } = await run();
    const origins = demo.requests.filter(({ path }) => path === '/token').map(({ origin }) => origin);
    expect(origins.toSorted()).toEqual([
      `chrome-extension://${new URL(own.chrome).hostname.split('.')[0]}`,
      expect.stringMatching(/^moz-extension:/),
    ]);
    expect(report).toMatchObject({
      version: 1,
      mode: 'online',
      outlook: 'works',
      providers: [{ outlook: { chrome: 'works', firefox: 'works' } }],
    });
    expect(error).toBeNull();
  });

  test('finds out that the redirect URI of Firefox is not registered, and fails', async () => {
    await useDemoProvider([own.chrome]);
    const { report, error } = await run();
    const [{ findings } = { findings: [] }] = report.providers;
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'redirect-uri-unknown',
        targets: ['firefox'],
        remedy: `Register exactly ${own.firefox}`,
      }),
    );
    expect(error).toEqual(new Error('1 of 1 providers needs a correction.'));
  });

  test('finds out that the client ID is wrong', async () => {
    await useDemoProvider(Object.values(own), { clientId: 'wrong' });
    const { report, error } = await run();
    const errors = report.providers[0]?.findings.filter(({ severity }) => severity === 'error');
    expect(errors?.map(({ code }) => code)).toEqual(['client-unknown']);
    expect(error).toBeInstanceOf(Error);
  });

  test('finds out that nothing listens at the issuer', async () => {
    await useProvider({ issuer: 'http://localhost:9' });
    const { report, error } = await run();
    expect(report.outlook).toBe('cannot-work');
    expect(error).toBeInstanceOf(Error);
  });

  test.each([
    ['goes on if the demo provider that it would start runs already', new PortTakenError(9, {}), ['local']],
    ['fails if the demo provider cannot start', new Error('It has no keys.'), undefined],
  ])('%s', async (_what, failure, examined) => {
    vi.stubEnv('LATCHKEY_DEMO_PORT', '9');
    await useProvider({ issuer: 'http://localhost:4455' });
    const { report, error } = await run(online, () => Promise.reject(failure));
    expect((report as Report | null)?.providers.map(({ id }) => id)).toEqual(examined);
    // Nothing listens there.
    expect(error).toEqual(
      examined === undefined ? failure : new Error('1 of 1 providers needs a correction.'),
    );
  });

  test('answers about a profile without a configuration', async () => {
    await useConfig('no JSON');
    const { printed, error } = await run({ ...online, question: { kind: 'list' } });
    expect(printed).toMatch(/^keycloak +Keycloak/m);
    expect(error).toBeNull();
  });

  test('says in words what it found, and what to register', async () => {
    await useDemoProvider([own.chrome]);
    const { printed } = await run({ ...online, format: 'text' });
    expect(printed).toMatch(/^ {2}Chrome, Edge: {2}will work\n {2}Firefox: {7}cannot work$/m);
    expect(printed).toMatch(/^ {2}error {4}Firefox: The redirect URI is not registered/m);
    expect(printed).toContain(`    Chrome, Edge:  ${own.chrome}\n    Firefox:       ${own.firefox}`);
    expect(printed).toContain(
      '    Edge Add-ons:  https://<id that Partner Center shows>.chromiumapp.org/local',
    );
    expect(printed).toMatch(/^ {4}Firefox: {7}\* \(any: its origin differs in each installation\)$/m);
  });

  test('sends no request offline, and does not fail', async () => {
    await useProvider({ issuer: 'https://id.acme.example' });
    const { report, error } = await run({ ...online, mode: 'offline' });
    expect(report).toMatchObject({ mode: 'offline', outlook: 'unknown' });
    expect(error).toBeNull();
  });

  test.each([
    [
      'an issuer with a well-known path',
      { issuer: 'https://id.acme.example/.well-known/openid-configuration' },
    ],
    ['a client secret', { issuer: 'https://id.acme.example', clientSecret: 'x' }],
  ])('refuses %s in the words of every command', async (_mistake, settings) => {
    await useProvider(settings);
    await expect(
      runDoctor(
        online,
        () => undefined,
        () => undefined,
      ),
    ).rejects.toThrow(FileError);
  });
});

describe('npm run doctor for an extension that another project builds', () => {
  const chromeId = 'abcdefghijklmnop'.repeat(2);
  const ids = { chromeId, firefoxId: 'notes@acme.example' };
  const uris = {
    chrome: `https://${chromeId}.chromiumapp.org/local`,
    firefox: redirectUris({ key: '', browser_specific_settings: { gecko: { id: ids.firefoxId } } }, 'local')
      .firefox,
  };

  test('names its redirect URIs, and asks the provider as it', async () => {
    const demo = await useDemoProvider(Object.values(uris));
    const { report, error } = await run({ ...online, ids });
    expect(report.providers[0]?.register.redirectUris).toEqual(uris);
    expect(report.outlook).toBe('works');
    expect(demo.requests.map(({ origin }) => origin)).toContain(`chrome-extension://${chromeId}`);
    expect(error).toBeNull();
  });

  test('examines only the browsers that are named', async () => {
    await useProvider({ issuer: 'https://id.acme.example' });
    const offline = { ...online, mode: 'offline' } as const;
    const inFirefox = await run({ ...offline, ids: { ...ids, chromeId: null } });
    expect(inFirefox.report.providers[0]?.register.redirectUris).toEqual({ firefox: uris.firefox });
    // No manifest is meant, so none lacks a key.
    expect(inFirefox.report.providers[0]?.findings.map(({ code }) => code)).not.toContain('key-missing');
    const inChrome = await run({ ...offline, ids: { ...ids, firefoxId: null }, edgeId: 'p'.repeat(32) });
    expect(inChrome.report.providers[0]?.register.redirectUris).toEqual({
      chrome: uris.chrome,
      edge: `https://${'p'.repeat(32)}.chromiumapp.org/local`,
    });
  });
});

describe('readDoctorOptions', () => {
  const none = { format: 'text', mode: 'online', edgeId: null, ids: null, policyPath: null, question: null };
  const id = 'abcdefghijklmnop'.repeat(2);
  const guid = '{01234567-89ab-cdef-0123-456789abcdef}';
  const knownOptions =
    'Known are --json, --offline, --policy <file>, --chrome-id <id>, --edge-id <id>, --firefox-id <id>, --list, and --provider <profile> with --issuer <url>.';

  test.each([
    [[], none],
    [['--json'], { ...none, format: 'json' }],
    [['--offline', '--edge-id', id], { ...none, mode: 'offline', edgeId: id }],
    [['--chrome-id', id], { ...none, ids: { chromeId: id, firefoxId: null } }],
    [['--firefox-id', 'a@b'], { ...none, ids: { chromeId: null, firefoxId: 'a@b' } }],
    [['--chrome-id', id, '--firefox-id', guid], { ...none, ids: { chromeId: id, firefoxId: guid } }],
    [['--policy', 'policy.json'], { ...none, policyPath: 'policy.json' }],
    [['--list'], { ...none, question: { kind: 'list' } }],
    [['--provider', 'okta'], { ...none, question: { kind: 'needs', name: 'okta', issuer: null } }],
  ])('reads %j', (args, options) => {
    expect(readDoctorOptions(args, {})).toEqual(options);
  });

  test.each([
    [['--online'], `Unknown option: --online. ${knownOptions}`],
    [['acme'], `Unknown option: acme. ${knownOptions}`],
    [['--policy'], `Unknown option: --policy. ${knownOptions}`],
    [['--issuer', 'https://acme.auth0.com/'], 'Write --list, or --provider <profile> with --issuer <url>.'],
    [['--list', '--provider', 'okta'], 'Write --list, or --provider <profile> with --issuer <url>.'],
    [
      ['--list', '--json'],
      '--list and --provider answer without a configuration, so --json, --offline and --policy do not fit.',
    ],
    [['--policy', ''], '--policy is ""; expected the path of a policy.'],
    [
      ['--edge-id', 'acme'],
      '--edge-id is "acme"; expected the 32 letters from a to p that Partner Center shows.',
    ],
    [
      ['--chrome-id', id.toUpperCase()],
      `--chrome-id is "${id.toUpperCase()}"; expected the 32 letters from a to p that chrome://extensions shows.`,
    ],
    [
      ['--firefox-id', 'notes'],
      '--firefox-id is "notes"; expected "browser_specific_settings.gecko.id" of the manifest, such as "notes@acme.example".',
    ],
    [
      ['--firefox-id', ''],
      '--firefox-id is ""; expected "browser_specific_settings.gecko.id" of the manifest, such as "notes@acme.example".',
    ],
  ])('refuses %j', (args, message) => {
    expect(() => readDoctorOptions(args, {})).toThrow(new UsageError(message));
  });

  test('refuses options that npm has kept, and says how to write them', () => {
    const environment = { npm_config_offline: 'true', npm_lifecycle_event: 'doctor' };
    expect(() => readDoctorOptions([], environment)).toThrow(/npm run doctor -- --json --offline/);
    expect(() => readDoctorOptions([], { npm_config_policy: 'a', npm_config_firefox_id: 'b' })).toThrow(
      /--policy, --firefox-id/,
    );
  });
});
