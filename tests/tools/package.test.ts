import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { FileError } from '../../tools/build/parse-json.ts';
import { UsageError } from '../../tools/command.ts';
import type { Finding } from '../../tools/doctor/finding.ts';
import { toReport, type ProviderReport } from '../../tools/doctor/report.ts';
import {
  describeIdentity,
  describeNext,
  describeUnjustified,
  expectShippable,
  expectWorkable,
  packageExtension,
  readPackageOptions,
  type Package,
} from '../../tools/package.ts';
import { isLong } from '../support/extent.ts';

const root = resolve(import.meta.dirname, '../..');
const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'acme-client' };
const config = JSON.stringify({ providers: [acme] });

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-package-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('npm run package refuses a file in place of the folder for the packages, before it builds', async () => {
  const folder = await makeFolder();
  const outDir = join(folder, 'dist');
  await writeFile(outDir, '');
  const configPath = join(folder, 'config.json');
  await writeFile(configPath, config);
  await expect(packageExtension({ withKey: false, outDir, configPath })).rejects.toThrow(
    /dist: found a file; expected a folder for the packages$/,
  );
});

describe('expectShippable', () => {
  test.each([
    ['the demo provider', 'http://localhost:4455'],
    ['a provider on this computer', 'https://localhost'],
    ['an address of this computer', 'http://127.0.0.1:8080/realm'],
  ])('refuses %s, and says where it is named and what to do', (_case, issuer) => {
    const refuse = () =>
      expectShippable(readConfig({ providers: [acme, { ...acme, id: 'two', issuer }] }), 'my.json');
    expect(refuse).toThrow(FileError);
    expect(refuse).toThrow(
      /^my\.json: providers\[1\]\.issuer: found ".*", which is each person's own computer; expected/,
    );
  });

  test('accepts providers that people can reach', () => {
    expect(() => expectShippable(readConfig({ providers: [acme] }), 'my.json')).not.toThrow();
  });
});

describe('describeIdentity', () => {
  const identityOf = (id: string) => ({ key: 'MIIB', browser_specific_settings: { gecko: { id } } });

  test('says that everyone has the id of a product without a name of its own, and what gives it one', () => {
    expect(describeIdentity(identityOf('latchkey@latchkey.example'))).toEqual([
      expect.stringMatching(/^The IDs in manifest\.json are Latchkey's own.*`npm run rename`/),
    ]);
  });

  test('says nothing of an id of your own', () => {
    expect(describeIdentity(identityOf('sign-in@acme.example'))).toEqual([]);
  });
});

describe('describeNext', () => {
  test('says which store takes which package', () => {
    expect(describeNext({ withKey: false })[0]).toMatch(
      /^Upload the package for Chrome to the Chrome Web Store and Edge Add-ons/,
    );
  });

  test('says that only the store that issued the key accepts a package with it, and that a server of your own needs a signed one', () => {
    const [first, second, ...rest] = describeNext({ withKey: true });
    expect(first).toMatch(/keeps the "key".*only if that store issued the key/);
    expect(second).toMatch(/\.crx.*browsers install.*extension ID/);
    expect(rest.join(' ')).not.toContain('Chrome Web Store');
  });
});

test('a permission that the stores will ask about is named once, though both browsers are asked for it', () => {
  const lines = describeUnjustified('');
  expect(lines).toContain(
    'docs/store/permissions.md does not say why the extension needs "storage", and the stores ask for it.',
  );
  expect(lines).toEqual([...new Set(lines)]);
});

describe('expectWorkable', () => {
  const found: Finding = {
    code: 'scope',
    severity: 'warning',
    targets: 'all',
    text: 'A scope may be refused.',
    remedy: null,
  };
  const acmeReport: ProviderReport = {
    ...acme,
    profile: null,
    outlook: {},
    findings: [found],
    register: { redirectUris: {}, origins: {}, console: null, steps: [], redemption: null },
  };
  const reportOf = (...providers: ProviderReport[]) => toReport('my.json', 'offline', providers);

  test('refuses what the doctor knows to fail, in its words', () => {
    const refused: ProviderReport = {
      ...acmeReport,
      findings: [
        { ...found, severity: 'error', text: 'Octo issues no ID token.', remedy: 'Put a broker between.' },
      ],
    };
    expect(() => expectWorkable(reportOf(acmeReport, refused))).toThrow(
      new FileError(['my.json: providers[1]: Octo issues no ID token. Put a broker between.']),
    );
  });

  test('accepts the rest', () => {
    expect(() => expectWorkable(reportOf(acmeReport))).not.toThrow();
  });
});

describe('readPackageOptions', () => {
  test.each([
    [[], false],
    [['--with-key'], true],
  ])('reads %j', (args, withKey) => {
    expect(readPackageOptions(args, {})).toEqual({ withKey });
  });

  test('refuses an unknown option', () => {
    expect(() => readPackageOptions(['--key'], {})).toThrow(
      new UsageError('Unknown option: --key. Known is --with-key.'),
    );
  });

  test('refuses an option that npm has kept, and says how to write it', () => {
    const environment = { npm_config_with_key: 'true', npm_lifecycle_event: 'package' };
    expect(() => readPackageOptions([], environment)).toThrow(/npm run package -- --with-key/);
  });
});

// The builds take seconds.
describe.runIf(isLong)('packageExtension', () => {
  let folder: string;
  let temporary: string;
  let packages: readonly Package[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-package-test-'));
    temporary = join(folder, 'temporary');
    await mkdir(temporary);
    await writeFile(join(folder, 'config.json'), config);
    // The places of temporary folders: of Windows, and of the others.
    for (const name of ['TEMP', 'TMPDIR']) vi.stubEnv(name, temporary);
    packages = await packageExtension({
      withKey: false,
      outDir: folder,
      configPath: join(folder, 'config.json'),
    }).finally(() => vi.unstubAllEnvs());
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('removes the builds that it has packed', async () => {
    const left = await readdir(temporary);
    // tsx keeps what it has compiled.
    expect(left.filter((name) => !name.startsWith('tsx-'))).toEqual([]);
  });

  async function unpack(part: string): Promise<Record<string, Uint8Array>> {
    const found = packages.find(({ path }) => path.endsWith(`-${part}.zip`));
    return unzipSync(await readFile(found?.path ?? ''));
  }

  async function readManifest(part: string): Promise<Record<string, unknown>> {
    const { 'manifest.json': manifest } = await unpack(part);
    return JSON.parse(new TextDecoder().decode(manifest)) as Record<string, unknown>;
  }

  test('writes one package for each browser, the sources, and a bill of materials', async () => {
    const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect(packages.map(({ path }) => path)).toEqual(
      ['-chrome.zip', '-firefox.zip', '-sources.zip', '.cdx.json'].map((ending) =>
        join(folder, `${name}-${version}${ending}`),
      ),
    );
  });

  test('gives each manifest the version of package.json', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
      string,
      string
    >;
    expect((await readManifest('chrome'))['version']).toBe(version);
    expect((await readManifest('firefox'))['version']).toBe(version);
  });

  test('leaves out the key, which the Chrome Web Store refuses', async () => {
    expect(await readManifest('chrome')).not.toHaveProperty('key');
  });

  test('lists the packages of the notices in the bill of materials', async () => {
    const { 'THIRD-PARTY-NOTICES.txt': notices } = await unpack('firefox');
    const { components } = JSON.parse(await readFile(packages.at(-1)?.path ?? '', 'utf8')) as {
      readonly components: readonly {
        readonly name: string;
        readonly version: string;
        readonly hashes?: unknown;
      }[];
    };
    expect(components.length).toBeGreaterThan(5);
    for (const { name, version, hashes } of components) {
      expect(new TextDecoder().decode(notices)).toContain(`\n${name} ${version} (`);
      expect(hashes).toBeDefined();
    }
  });

  test('packs sources that have the configuration of the packages, and say how they are built', async () => {
    const sources = await unpack('sources');
    expect(new TextDecoder().decode(sources['src/config.json'])).toBe(config);
    expect(new TextDecoder().decode(sources['BUILDING.md'])).toContain('npm ci && npm run build');
    expect(Object.keys(sources)).toEqual(
      expect.arrayContaining(['package-lock.json', 'src/background/main.ts']),
    );
    expect(Object.keys(sources).filter((file) => /^(?:node_modules|dist|\.git)\//.test(file))).toEqual([]);
  });

  test('gives the same bytes in a clone in another folder, in another time zone', async () => {
    const clone = join(await makeFolder(), 'another folder');
    const run = promisify(execFile);
    await run('git', ['clone', '--quiet', root, clone]);
    // On Windows npm is a script, which only a shell starts.
    const shell = process.platform === 'win32';
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clone, shell });
    const { stdout } = await run('npm', ['run', '--silent', 'package'], {
      cwd: clone,
      shell,
      env: { ...process.env, TZ: 'Asia/Tokyo', LATCHKEY_CONFIG: join(folder, 'config.json') },
    });
    const hashes = stdout.match(/[0-9a-f]{64}/g);
    // The sources of this folder may have changes that are not committed.
    const withoutSources = (all: readonly string[] = []) => all.filter((_, index) => index !== 2);
    expect(withoutSources(hashes ?? [])).toEqual(withoutSources(packages.map(({ sha256 }) => sha256)));
  });
});
