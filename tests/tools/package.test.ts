import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { FileError } from '../../tools/build/read-text.ts';
import { readConfigFile } from '../../tools/build/read-config.ts';
import { readPackage } from '../../tools/build/read-manifest.ts';
import { expectShippable, packageExtension, type Package } from '../../tools/package.ts';
import type { Fetch } from '../../tools/doctor/world.ts';
import { isLong } from '../support/extent.ts';
import { makeFolder } from '../support/folder.ts';
import {
  createHealthyProvider,
  discovery,
  json,
  oauthError,
  publicKey,
  redirectBack,
} from '../support/healthy-provider.ts';
import { toMetadata } from '../support/scripted-provider.ts';

const root = resolve(import.meta.dirname, '../..');
const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'acme-client' };
const config = JSON.stringify({ providers: [acme] });

describe('expectShippable', () => {
  /** Ships a configuration whose second provider has these members. */
  async function ship(
    provider: object,
    ask: Fetch = () => Promise.reject(new Error('offline')),
  ): Promise<void> {
    const providers = [acme, { ...acme, id: 'two', ...provider }];
    const path = join(makeFolder({ 'my.json': { providers } }), 'my.json');
    return expectShippable(readConfigFile(path), path, ask);
  }

  test.each([
    ['the demo provider', 'http://localhost:4455'],
    ['a provider on this computer', 'https://localhost'],
    ['an address of this computer', 'http://127.0.0.1:8080/realm'],
  ])('refuses %s, and says where it is named and what to do', async (_case, issuer) => {
    await expect(ship({ issuer })).rejects.toThrow(FileError);
    await expect(ship({ issuer })).rejects.toThrow(
      /my\.json: providers\[1\]\.issuer: found ".*", which is each user's own computer; expected/,
    );
  });

  test('refuses what the doctor knows to fail, in its words', async () => {
    await expect(ship({ issuer: 'https://appleid.apple.com' })).rejects.toThrow(
      /my\.json: providers\[1\]: .*Apple/,
    );
  });

  test('accepts a provider on a host of a company that has others, if it answers as one', async () => {
    // As Shopify does with its accounts of customers (https://shopify.dev/docs/api/customer), here at a host that is refused.
    const own = 'https://accounts.shopify.com/customers';
    const document = { ...toMetadata(own), id_token_signing_alg_values_supported: ['RS256'] };
    const answers = {
      [own + discovery]: json(document),
      [`${own}/keys`]: json({ keys: [publicKey] }),
      [`${own}/token`]: oauthError('invalid_grant'),
      [`${own}/authorize`]: redirectBack('login_required', { iss: own }),
    };
    await expect(ship({ issuer: own })).rejects.toThrow(/Shopify/);
    await expect(ship({ issuer: own }, createHealthyProvider({ answers }).fetch)).resolves.toBeUndefined();
    const secretWanted = { ...answers, [`${own}/token`]: oauthError('invalid_client', '', 401) };
    const asking = ship({ issuer: own }, createHealthyProvider({ answers: secretWanted }).fetch);
    await expect(asking).rejects.toThrow(/requires a secret/);
  });

  test('accepts providers that people can reach', async () => {
    await expect(ship({})).resolves.toBeUndefined();
  });
});

// The builds take seconds.
describe.runIf(isLong)('packageExtension', () => {
  let folder: string;
  let packages: readonly Package[];

  beforeAll(async () => {
    folder = makeFolder({ 'config.json': config });
    const configPath = join(folder, 'config.json');
    const packing = packageExtension({ withKey: false, outDir: folder, configPath });
    // The packages have one configuration, whatever happens to its file meanwhile.
    writeFileSync(configPath, config.replace('acme-client', 'another-client'));
    packages = await packing;
    writeFileSync(configPath, config);
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
    const { name, version } = readPackage();
    expect(packages.map(({ path }) => path)).toEqual(
      ['-chrome.zip', '-firefox.zip', '-sources.zip', '.cdx.json'].map((ending) =>
        join(folder, `${name}-${version}${ending}`),
      ),
    );
  });

  test('gives each manifest the version of package.json, and none the key, which the Chrome Web Store refuses', async () => {
    const { version } = readPackage();
    for (const browser of ['chrome', 'firefox']) {
      const manifest = await readManifest(browser);
      expect(manifest['version']).toBe(version);
      expect(manifest).not.toHaveProperty('key');
    }
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
    for (const browser of ['chrome', 'firefox']) {
      const { 'worker.js': worker } = await unpack(browser);
      expect(new TextDecoder().decode(worker)).toContain('acme-client');
    }
    expect(new TextDecoder().decode(sources['BUILDING.md'])).toContain('npm ci && npm run build');
    expect(Object.keys(sources)).toEqual(
      expect.arrayContaining(['package-lock.json', 'src/background/main.ts']),
    );
    expect(Object.keys(sources).filter((file) => /^(?:node_modules|dist|\.git)\//.test(file))).toEqual([]);
  });

  test('gives the same bytes in a clone in another folder, in another time zone', async () => {
    const clone = join(makeFolder(), 'another folder');
    const run = promisify(execFile);
    await run('git', ['clone', '--quiet', root, clone]);
    // On Windows npm is a script, which only a shell starts.
    const shell = process.platform === 'win32';
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: clone, shell });
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
