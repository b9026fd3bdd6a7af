import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { type BuildOptions, buildForEach } from '../../tools/build.ts';
import { readConfigFile } from '../../tools/build/read-config.ts';
import { runCommand, type Host } from '../../tools/command.ts';
import { readIdentity } from '../../tools/product.ts';
import { redirectUris } from '../../tools/redirect-uris.ts';
import { isLong } from '../support/extent.ts';
import { acme } from '../support/samples.ts';

const root = resolve(import.meta.dirname, '../..');

afterEach(() => void vi.unstubAllEnvs());

function run(configPath: string): Promise<{ code: unknown; stderr: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', 'tools/build.ts'],
      { cwd: root, env: { ...process.env, LATCHKEY_CONFIG: configPath } },
      (error, _stdout, stderr) => done({ code: error?.code ?? 0, stderr }),
    );
  });
}

/** A configuration with mistakes, one of them a secret, which no message may repeat. */
async function writeWrongConfig(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-build-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const configPath = join(folder, 'config.json');
  const invalid = { id: 'a', name: 'A', isuer: 'https://a.example', clientId: 'x', clientSecret: 'hunter2' };
  await writeFile(configPath, JSON.stringify({ providers: [invalid] }));
  return configPath;
}

function expectMistakes(printed: string, configPath: string): void {
  const lines = printed.trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe(`${configPath}:1:36: providers[0].isuer: unknown key; did you mean "issuer"?`);
  expect(printed).not.toContain('hunter2');
  expect(printed).not.toContain('    at ');
}

test('a command reports each mistake in the configuration in one line', async () => {
  const configPath = await writeWrongConfig();
  const lines: string[] = [];
  const codes: number[] = [];
  const host: Host = {
    onSignal: () => {},
    exit: (code) => codes.push(code) as never,
    printError: (line) => void lines.push(line),
    nowMs: () => 0,
  };
  await runCommand(async () => void readConfigFile(configPath), host);
  expect(codes).toEqual([1]);
  expectMistakes(lines.join('\n'), configPath);
});

// A process of its own takes seconds.
test.runIf(isLong)(
  'npm run build reports each mistake in the configuration in one line, and builds nothing',
  async () => {
    const configPath = await writeWrongConfig();
    const { code, stderr } = await run(configPath);
    expect(code).toBe(1);
    expectMistakes(stderr, configPath);
  },
);

test('npm run build names each folder, the redirect URIs of unpacked builds, and that stores have others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-build-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const configPath = join(folder, 'config.json');
  await writeFile(configPath, JSON.stringify({ providers: [acme, { ...acme, id: 'beta' }] }));
  vi.stubEnv('LATCHKEY_CONFIG', configPath);
  const lines: string[] = [];
  const built: BuildOptions[] = [];
  await buildForEach(
    (line) => void lines.push(line),
    async (options) => void built.push(options),
  );
  expect(built).toEqual([{ browser: 'chrome' }, { browser: 'firefox' }]);
  const uris = ['acme', 'beta'].map((id) => redirectUris(readIdentity(), id));
  expect(lines).toEqual([
    'dist/chrome',
    'dist/firefox',
    'Redirect URIs to register with the providers, for unpacked builds:',
    ...uris.flatMap(({ chrome, firefox }) => [`  Chrome, Edge: ${chrome}`, `  Firefox:      ${firefox}`]),
    'The Chrome Web Store and Edge Add-ons give the extension other IDs, and so other redirect URIs: see docs/releasing.md.',
  ]);
});
