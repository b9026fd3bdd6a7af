import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { readJson } from '../../tools/build/read-text.ts';
import { readFolder } from '../../tools/build/zip.ts';
import { packageNames, packLibrary, type PackageName, toPackage } from '../../tools/library.ts';
import { copySample, unpack } from '../support/adopters/sample.ts';
import { isLong } from '../support/extent.ts';
import { makeFolder } from '../support/folder.ts';

const root = resolve(import.meta.dirname, '../..');
const source = readJson('package.json') as Parameters<typeof toPackage>[1];

test('the npm package has the version and the ranges of the project, and React only for those who have it', () => {
  const { name, version, dependencies } = toPackage('latchkey', source) as typeof source;
  expect([name, version]).toEqual(['latchkey', source.version]);
  expect(dependencies).toEqual({
    '@types/webextension-polyfill': source.devDependencies['@types/webextension-polyfill'],
    idb: source.dependencies['idb'],
    'jsonc-parser': source.devDependencies['jsonc-parser'],
    oauth4webapi: source.dependencies['oauth4webapi'],
    valibot: source.dependencies['valibot'],
    'webextension-polyfill': source.dependencies['webextension-polyfill'],
  });
  for (const range of Object.values(dependencies)) expect(range).toMatch(/^\^\d/);
});

test('the commands are a package of their own, which fits one version of the other', () => {
  const tools = toPackage('latchkey-tools', source) as typeof source & { readonly peerDependencies: object };
  expect(tools.peerDependencies).toEqual({ latchkey: source.version });
  expect(Object.values(tools.dependencies)).not.toContain(undefined);
});

/** Starts Vite's server, and prints each module that it does not serve, and how many it does. */
const crawl = `import { createServer } from 'vite';
const server = await createServer({ server: { port: 0 }, logLevel: 'silent' });
await server.listen();
const seen = new Map();
const visit = async (path) => {
  if (seen.has(path)) return;
  seen.set(path, null);
  const response = await fetch(new URL(path, server.resolvedUrls.local[0]));
  seen.set(path, response.status);
  const code = await response.text();
  for (const [, next] of code.matchAll(/(?:from|import\\()\\s*"(\\/[^"]+)"/g)) await visit(next);
};
for (const entry of ['/src/popup.tsx', '/src/background.ts']) await visit(entry);
const paths = [...seen.keys()];
console.log(JSON.stringify({
  refused: [...seen].filter(([, status]) => status !== 200),
  hasConfig: paths.some((path) => path.includes('latchkey:config')),
  hasWorker: paths.some((path) => path.includes('/src/background/worker.js')),
}));
await server.close();
process.exit();
`;

/** Uses everything that the package exports, as TypeScript sees it. */
const user = `import { FetchRefused, startWorker, type FeatureWorkerProps, type StartFeature } from 'latchkey/worker';
import { connectFeature, FetchRefused as Refused, observeSession, type BoardView, type Diagnosis, type Problem, type Profile } from 'latchkey/session';
import { latchkey, withLatchkey } from 'latchkey/vite';
import { browser } from 'latchkey/browser';
import { type FeatureProps, mountPopup } from 'latchkey/popup';
import { AccountMenu, SessionProvider, SignInButton, useFetch, useSend, useSession, type Session } from 'latchkey/react';
import { fakeFeatureProps, fakeFeatureWorker, setUpExtension, startDemoProvider } from 'latchkey/testing';
import { providers } from 'latchkey:config';
import type { Plugin } from 'vite';

export const session = (): Session => useSession();
export const props: FeatureProps = fakeFeatureProps({ fetch: async () => Response.json(providers[0]?.name) });
export const parts = [AccountMenu, SessionProvider, SignInButton, useFetch, useSend, browser.alarms];
mountPopup(document.body, { feature: ({ user }) => user.name });
export const testing = [fakeFeatureWorker, setUpExtension, startDemoProvider];
export const feature: StartFeature = ({ fetch, onSession, onGrant }: FeatureWorkerProps) => {
  onSession((user: Profile | null) => console.log(user?.name));
  onGrant((scope: string) => console.log(scope));
  void fetch('https://api.acme.example').then((response: Response) => response.text());
};
startWorker(feature);
startWorker();

const observer = observeSession();
export const { fetch, requestScope } = connectFeature(observer);
export const view: BoardView = observer.getSnapshot();
export const name: string | null =
  view.status === 'ready' && view.board.session.status === 'signed-in' ? view.board.session.profile.name : null;
export const problem: Problem | null =
  view.status === 'ready' && view.board.session.status === 'signed-out' ? view.board.session.problem : null;
export const register: Diagnosis['register'] | undefined = problem?.diagnosis?.register;
export const isSame: boolean = new FetchRefused('signed-out', 'No one is signed in.') instanceof Refused;
void observer.send({ type: 'sign-in', providerId: 'acme' });
// @ts-expect-error: there is no such command.
void observer.send({ type: 'sign-up' });

export const plugin: Plugin = latchkey({ config: 'acme.json' });
const manifest = withLatchkey({ name: 'Notes', permissions: ['alarms'] }, { browser: 'firefox', command: 'build' });
export const hosts: string[] = manifest.host_permissions;
export const title: string = manifest.name;
// @ts-expect-error: no token is to be had.
export const token: unknown = view.board.session.token;
`;

const moduleSettings = [
  { module: 'ESNext', moduleResolution: 'bundler' },
  { module: 'node16', moduleResolution: 'node16' },
];

// The compiler and npm take seconds.
describe.runIf(isLong)('the npm packages', () => {
  let folder: string;
  let packed: Readonly<Record<PackageName, string>>;

  beforeAll(async () => {
    folder = makeFolder();
    packed = await packLibrary(join(folder, 'library'));
  });

  const runNode = (cwd: string, ...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [...args], { cwd }).then(
      ({ stdout }) => stdout,
      (error: unknown) => {
        const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
        return `failed: ${stdout}${stderr}`;
      },
    );
  const compile = (cwd: string) => runNode(cwd, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.');

  test('are the same from the same sources', async () => {
    const again = await packLibrary(join(folder, 'again'));
    const hashOf = async (path: string) =>
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
    for (const name of packageNames) expect(await hashOf(again[name])).toBe(await hashOf(packed[name]));
  });

  test.each(packageNames)(
    '%s has a script and types behind each export, and imports what it declares',
    (name) => {
      const files = readFolder(join(folder, 'library', name));
      const textOf = (file: string) => new TextDecoder().decode(files.get(file));
      const { exports, dependencies, peerDependencies } = JSON.parse(textOf('package.json')) as {
        readonly exports: object;
        readonly dependencies: object;
        readonly peerDependencies: object;
      };
      const targets = Object.values(exports).flatMap((target: string | object) =>
        typeof target === 'string' ? [target] : (Object.values(target) as string[]),
      );
      for (const target of targets.filter((each) => !each.includes('*'))) {
        expect([...files.keys()]).toContain(target.slice(2));
      }
      const imported = [...files.keys()]
        .filter((file) => file.endsWith('.js'))
        .flatMap((file) =>
          [
            ...textOf(file).matchAll(
              /(?:^(?:import|export) [^'"]*?from |^import |import\()['"]([^.'"][^'"]*)/gm,
            ),
          ].map(([, path = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? ''),
        );
      // `latchkey/testing` starts the browsers of latchkey-tools where it's installed, which depends on latchkey itself.
      const declared = [...Object.keys(dependencies), ...Object.keys(peerDependencies), 'latchkey-tools'];
      const undeclared = imported.filter(
        (each) => !/^(?:node:|latchkey:)/.test(each) && !declared.includes(each),
      );
      expect(undeclared).toEqual([]);
      const unused = Object.keys(dependencies).filter((each) => !imported.includes(each));
      // Types that its own types name.
      expect(unused).toEqual(name === 'latchkey' ? ['@types/webextension-polyfill'] : []);
    },
  );

  test.each(moduleSettings)('has types that resolve under $moduleResolution', async (settings) => {
    const home = join(folder, settings.moduleResolution);
    await copySample('plain-vite', home, packed.latchkey);
    await unpack(home, 'latchkey-tools', packed['latchkey-tools']);
    await writeFile(join(home, 'src/user.ts'), user);
    const compilerOptions = {
      ...settings,
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      strict: true,
      noEmit: true,
    };
    await writeFile(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['src/user.ts'] }));
    expect(await compile(home)).toBe('');
  });

  test.each(['crxjs-react', 'plain-vite'] as const)('has types with which %s compiles', async (name) => {
    const home = join(folder, `types-of-${name}`);
    await copySample(name, home, packed.latchkey);
    expect(await compile(home)).toBe('');
  });

  test('is served by Vite’s server, module by module', async () => {
    const home = join(folder, 'served');
    await copySample('crxjs-react', home, packed.latchkey);
    const served = JSON.parse(await runNode(home, '--input-type=module', '--eval', crawl)) as unknown;
    expect(served).toEqual({ refused: [], hasConfig: true, hasWorker: true });
  });

  test('reads a configuration with a profile, and names the place of a mistake', async () => {
    const home = join(folder, 'reads');
    await copySample('plain-vite', home, packed.latchkey);
    const read = async (issuer: string) => {
      const provider = { id: 'acme', name: 'Acme', profile: 'keycloak', issuer, clientId: 'notes' };
      await writeFile(join(home, 'latchkey.json'), JSON.stringify({ providers: [provider] }));
      return runNode(
        home,
        '--input-type=module',
        '--eval',
        `import { latchkey, withLatchkey } from 'latchkey/vite';
         console.log(latchkey().name, withLatchkey({}, { browser: 'chrome' }).host_permissions.join());`,
      );
    };
    expect(await read('https://id.acme.example/realms/acme')).toBe('latchkey https://id.acme.example/*\n');
    expect(await read('id.acme.example')).toMatch(/latchkey\.json:1:\d+: providers\[0\]\.issuer: found/);
  });
});
