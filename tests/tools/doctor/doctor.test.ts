// The whole command, in this process, against the demo provider.

import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FileError } from '../../../tools/build/read-text.ts';
import { PortTakenError } from '../../../tools/demo-provider/loopback.ts';
import { startDemoProvider, type DemoProvider } from '../../../tools/demo-provider/provider.ts';
import type { Report } from '../../../tools/doctor/report.ts';
import { readDoctorOptions, runDoctor, type DoctorOptions } from '../../../tools/doctor.ts';
import { readManifest } from '../../../tools/build/read-manifest.ts';
import { redirectUris } from '../../../tools/redirect-uris.ts';
import { makeFolder } from '../../support/folder.ts';
import { describeOutcomes } from '../../support/outcomes.ts';

/** Writes a file of this test, and returns its path. */
const write = (name: string, content: object | string) => join(makeFolder({ [name]: content }), name);

function useConfig(content: object): void {
  vi.stubEnv('LATCHKEY_CONFIG', write('config.json', content));
}

function useProvider(settings: object, more: object = {}): void {
  useConfig({ providers: [{ id: 'local', name: 'Local', clientId: 'latchkey-demo', ...settings }], ...more });
}

/** A demo provider that knows some redirect URIs, named in the configuration. */
async function useDemoProvider(uris: readonly string[], settings: object = {}): Promise<DemoProvider> {
  const demo = await startDemoProvider({ redirectUris: uris });
  onTestFinished(() => demo.close());
  useProvider({ issuer: demo.issuer, ...settings });
  return demo;
}

/** Runs the command, with `--json` by default. Returns its report and the error that ends it, or null. */
async function run(
  options: DoctorOptions = {},
  start?: typeof startDemoProvider,
): Promise<{ report: Report; printed: string; error: unknown }> {
  const printed: string[] = [];
  const error: unknown = await runDoctor(
    { json: true, ...options },
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

const own = redirectUris(readManifest(), 'local');

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

  test.each([
    ['goes on if the demo provider that it would start runs already', new PortTakenError(9, {}), ['local']],
    ['fails if the demo provider cannot start', new Error('It has no keys.'), undefined],
  ])('%s', async (_what, failure, examined) => {
    vi.stubEnv('LATCHKEY_DEMO_PORT', '9');
    useProvider({ issuer: 'http://localhost:4455' });
    const { report, error } = await run({}, () => Promise.reject(failure));
    expect((report as Report | null)?.providers.map(({ id }) => id)).toEqual(examined);
    // Nothing listens there.
    expect(error).toEqual(
      examined === undefined ? failure : new Error('1 of 1 providers needs a correction.'),
    );
  });

  test('says in words what it found, and what to register, and fails for an error', async () => {
    await useDemoProvider([own.chrome]);
    const { printed, error } = await run({ json: false });
    expect(error).toEqual(new Error('1 of 1 providers needs a correction.'));
    expect(printed).toMatch(/^ {2}Chrome, Edge: {2}will work\n {2}Firefox: {7}can't work$/m);
    expect(printed).toMatch(/^ {2}error {4}Firefox: The redirect URI is not registered/m);
    expect(printed).toContain(`    Chrome, Edge:  ${own.chrome}\n    Firefox:       ${own.firefox}`);
    expect(printed).toContain(
      '    Edge Add-ons:  https://<id that Partner Center shows>.chromiumapp.org/local',
    );
    expect(printed).toMatch(/^ {4}Firefox: {7}\* \(any: its origin differs in each installation\)$/m);
  });

  test('sends no request offline, and does not fail', async () => {
    useProvider({ issuer: 'https://id.acme.example' });
    const { report, error } = await run({ offline: true });
    expect(report).toMatchObject({ mode: 'offline', outlook: 'unknown' });
    expect(error).toBeNull();
  });

  test('says if administrators cannot set a policy, and refuses to check one', async () => {
    const issuer = 'https://id.acme.example';
    const text = 'Policies are left out of this build ("policies": false): administrators can\'t choose';
    useProvider({ issuer });
    expect((await run({ offline: true })).report.notes).toEqual([]);
    useProvider({ issuer }, { policies: false });
    expect((await run({ offline: true })).report.notes).toEqual([expect.stringContaining(text)]);
    expect((await run({ offline: true, json: false })).printed).toContain(`  note     ${text}`);
    const policy = write('policy.json', { version: 1, providers: [{ id: 'local' }] });
    const { error } = await run({ offline: true, policy });
    expect(error).toMatchObject({ problems: [expect.stringContaining('this build leaves policies out')] });
  });

  test('refuses a configuration with a mistake in the words of every command', async () => {
    useProvider({ issuer: 'https://id.acme.example', clientSecret: 'x' });
    expect((await run()).error).toBeInstanceOf(FileError);
  });
});

describe('npm run doctor for an extension that another project builds', () => {
  const chromeId = 'abcdefghijklmnop'.repeat(2);
  const id = 'notes@acme.example';
  const uris = {
    chrome: `https://${chromeId}.chromiumapp.org/local`,
    firefox: redirectUris({ key: '', browser_specific_settings: { gecko: { id } } }, 'local').firefox,
  };

  test('names its redirect URIs, and asks the provider as it', async () => {
    const demo = await useDemoProvider(Object.values(uris));
    const { report, error } = await run({ 'chrome-id': chromeId, 'firefox-id': id });
    expect(report.providers[0]?.register.redirectUris).toEqual(uris);
    expect(report.outlook).toBe('works');
    expect(demo.requests.map(({ origin }) => origin)).toContain(`chrome-extension://${chromeId}`);
    expect(error).toBeNull();
  });

  test('examines only the browsers that are named', async () => {
    useProvider({ issuer: 'https://id.acme.example' });
    const inFirefox = await run({ offline: true, 'firefox-id': id });
    expect(inFirefox.report.providers[0]?.register.redirectUris).toEqual({ firefox: uris.firefox });
    // No manifest is meant, so none lacks a key.
    expect(inFirefox.report.providers[0]?.findings.map(({ code }) => code)).not.toContain('key-missing');
    const inChrome = await run({ offline: true, 'chrome-id': chromeId, 'edge-id': 'p'.repeat(32) });
    expect(inChrome.report.providers[0]?.register.redirectUris).toEqual({
      chrome: uris.chrome,
      edge: `https://${'p'.repeat(32)}.chromiumapp.org/local`,
    });
  });
});

describe('npm run doctor -- --policy', () => {
  const ids = { 'chrome-id': 'abcdefghijklmnop'.repeat(2), 'firefox-id': 'sign-in@acme.example' };

  /** Runs the command over a configuration with two providers. */
  async function runPolicy(policy: object | string, options: DoctorOptions = {}) {
    const toProvider = (name: string) => ({
      id: name.toLowerCase(),
      name,
      issuer: `https://id.${name.toLowerCase()}.example`,
      clientId: 'latchkey',
    });
    useConfig({ providers: [toProvider('Acme'), toProvider('Other')] });
    const path = typeof policy === 'string' ? policy : write('policy.json', policy);
    return { ...(await run({ offline: true, ...ids, ...options, policy: path })), policyPath: path };
  }

  test('examines the providers that hold under the policy, and no others', async () => {
    const providers = [{ id: 'other', name: 'Other, by policy' }];
    const { report, error } = await runPolicy({ version: 1, locked: true, autoSignIn: 'popup', providers });
    expect(report.providers.map(({ name }) => name)).toEqual(['Other, by policy']);
    expect(report.policy?.policies).toMatchObject([{ settings: { autoSignIn: 'popup' } }]);
    expect(report.outlook).toBe('unknown');
    expect(error).toBeNull();
  });

  test('fails for a policy that the extension would not use, and asks no provider', async () => {
    const policy = { version: 1, providers: [{ id: 'acme', isuer: 'x' }] };
    const { printed, error, policyPath } = await runPolicy(policy, { json: false, offline: false });
    expect(printed).toContain('  error    providers[0].isuer: unknown key; did you mean "issuer"?');
    expect(printed).toMatch(/The extension wouldn't get or not use the policy\./);
    expect(printed).not.toContain('config.json');
    expect(error).toEqual(new Error(`${policyPath}: the policy needs a correction.`));
    expect((await runPolicy(policy)).report).toMatchObject({ outlook: 'cannot-work', providers: [] });
  });

  test('fails for a policy that no browser would hand over to the extension', async () => {
    const extensions = { ['c'.repeat(32)]: { version: 1, providers: [{ id: 'acme' }] } };
    const { report, error, policyPath } = await runPolicy({ '3rdparty': { extensions } });
    expect(report).toMatchObject({ outlook: 'cannot-work' });
    expect(error).toEqual(new Error(`${policyPath}: the policy needs a correction.`));
  });

  test('names a file that is missing', async () => {
    const path = '/nowhere/policy.json';
    expect((await runPolicy(path)).error).toEqual(new FileError([`${path}: there is no such file`]));
  });
});

describe('readDoctorOptions', () => {
  const none = { json: false, offline: false };
  const id = 'abcdefghijklmnop'.repeat(2);
  const guid = '{01234567-89ab-cdef-0123-456789abcdef}';

  test.each([
    [[], {}],
    [['--offline', '--edge-id', id], { offline: true, 'edge-id': id }],
    [['--firefox-id', 'a@b'], { 'firefox-id': 'a@b' }],
    [['--chrome-id', id, '--firefox-id', guid], { 'chrome-id': id, 'firefox-id': guid }],
    [['--policy', 'policy.json', '--json'], { policy: 'policy.json', json: true }],
  ])('reads %j', (args, options) => {
    expect(readDoctorOptions(args, {})).toEqual({ ...none, ...options });
  });

  test('refuses what does not fit, and says what does', async () => {
    const refused = [
      '--policy=',
      '--edge-id acme',
      `--chrome-id ${id.toUpperCase()}`,
      '--firefox-id notes',
      '--firefox-id=',
      '--online',
    ].map((args) => [args, () => readDoctorOptions(args.split(' '), {})] as const);
    await expect(describeOutcomes(Object.fromEntries(refused))).toMatchFileSnapshot('options.txt');
  });
});
