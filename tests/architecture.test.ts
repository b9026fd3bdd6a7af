// The folders of src, and the directions of the imports between them.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** The folders and packages that each folder may import. From the folders in `types` it may import types only. */
const folders: Record<string, { folders: string[]; types?: string[]; packages: string[] | 'any' }> = {
  session: { folders: [], packages: ['valibot'] },
  /** A file, and like a folder for these rules. */
  'concurrency.ts': { folders: [], packages: [] },
  config: { folders: ['concurrency.ts', 'session'], types: ['providers'], packages: ['valibot'] },
  /** Data only. Nothing imports more than its types, so no build contains it. */
  providers: { folders: [], types: ['config'], packages: [] },
  oidc: { folders: ['concurrency.ts', 'config', 'session'], packages: ['oauth4webapi'] },
  bridge: {
    folders: ['concurrency.ts', 'session'],
    packages: ['valibot', 'webextension-polyfill', 'latchkey:config'],
  },
  background: {
    folders: ['bridge', 'concurrency.ts', 'config', 'oidc', 'session', 'feature'],
    packages: ['idb', 'valibot', 'latchkey:config', 'latchkey:parts'],
  },
  /** Optional parts of the worker. The core knows no part, and no part knows another. */
  parts: {
    folders: ['background', 'bridge', 'concurrency.ts', 'config', 'oidc', 'session'],
    packages: ['oauth4webapi', 'valibot'],
  },
  popup: {
    folders: ['bridge', 'session', 'feature'],
    types: ['config'],
    packages: [
      'react',
      'react-dom',
      'react-dom/client',
      'latchkey:config',
      'latchkey:code-screen',
      'latchkey:icons',
      'public/_locales/en/messages.json',
    ],
  },
  /** The entry points of the npm package: nothing of the feature that this project ships. */
  library: {
    folders: ['background', 'bridge', 'popup'],
    types: ['feature', 'session'],
    packages: ['react', 'latchkey:config'],
  },
  /** The adopter's own folder: it may import any package, and have folders of its own. */
  feature: { folders: ['bridge', 'session'], types: ['config'], packages: 'any' },
};

/** The folders inside a folder that each may import; '' stands for the files beside them, which may import all. */
const subfolders: Record<string, Record<string, string[]>> = {
  background: {
    record: [''],
    provider: ['', 'record'],
    session: ['', 'provider', 'record'],
    feature: ['', 'provider', 'session', 'type record'],
  },
  bridge: {
    line: [''],
    session: ['', 'line', 'report'],
    fetch: ['', 'line', 'session'],
    report: ['', 'type session'],
  },
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const findCode = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map(toSlashes);

const findImports = (dir: string): readonly Import[] =>
  findCode(dir).flatMap((from) => {
    const text = readFileSync(join(dir, from), 'utf8');
    const statements = text.matchAll(
      /(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g,
    );
    return [...statements].map(([, type, source, lazy]) => {
      const target = source ?? lazy ?? '';
      const to = target.startsWith('.')
        ? toSlashes(relative(dir, resolve(dir, dirname(from), target)))
        : target;
      return { from, to, isType: type !== undefined };
    });
  });

const files = findCode(src);
const imports = findImports(src);

const folderOf = (file: string) => file.split('/')[0] ?? '';
const subfolderOf = (file: string) => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '');
/** The adopter's own files; the props that a feature receives are ours. */
const isFeature = (file: string) => folderOf(file) === 'feature' && file !== 'feature/feature-props.ts';
const isOurs = (to: string) => folderOf(to) in folders;

/** Windows separates the parts of a path with backslashes. */
function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

test('this test knows every folder', () => {
  expect([...new Set(files.map(folderOf))].toSorted()).toEqual(Object.keys(folders).toSorted());
  for (const [folder, known] of Object.entries(subfolders)) {
    const found = files.filter((file) => folderOf(file) === folder).map(subfolderOf);
    expect([...new Set(found)].toSorted()).toEqual(['', ...Object.keys(known)].toSorted());
  }
});

test('this test finds the imports', () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports).toContainEqual({ from: 'session/view.ts', to: 'session/shape.ts', isType: false });
});

test('every import follows a direction that is allowed', () => {
  const strays = imports.filter(({ from, to, isType }) => {
    const folder = folders[folderOf(from)];
    if (folder === undefined) return true;
    if (!isOurs(to))
      return folder.packages !== 'any' && !folder.packages.includes(to) && !to.endsWith('.css');
    const target = folderOf(to);
    if (target === folderOf(from) || folder.folders.includes(target)) return false;
    return !(isType && folder.types?.includes(target));
  });
  expect(strays).toEqual([]);
});

test('an extension without React gets none from the npm package, and no popup or feature of this project', () => {
  const reached = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { to } of imports.filter(({ from, isType }) => from === file && !isType)) visit(to);
  };
  for (const name of ['worker', 'session']) visit(`library/${name}.ts`);
  expect(reached.size).toBeGreaterThan(50);
  const refused = ['react', 'react-dom', 'popup', 'feature'];
  expect([...reached].filter((to) => refused.includes(folderOf(to)))).toEqual([]);
});

test('no file of the extension imports the relay, which holds a secret, or anything else outside src', () => {
  expect(imports.filter(({ to }) => to.startsWith('..'))).toEqual([]);
});

test.each([
  ['the relay, which servers have a copy of, stands alone', 'relay', /^(?:valibot|\w+\.ts)$/],
  [
    'the gallery can’t import the protocol or the vault',
    'gallery',
    /^(?!\.)|\/src\/(?:bridge|popup|session)\//,
  ],
])('%s', (_, room, allowed) => {
  const found = findImports(resolve(src, '../tools', room));
  expect(found).not.toEqual([]);
  expect(found.filter(({ to }) => !allowed.test(to))).toEqual([]);
});

test('no part imports another one', () => {
  const ofParts = imports.filter(({ from }) => folderOf(from) === 'parts');
  expect(ofParts).not.toEqual([]);
  expect(ofParts.filter(({ to }) => folderOf(to) === 'parts')).toEqual([]);
});

test('every import inside a folder follows a direction that is allowed', () => {
  const strays = imports.filter(({ from, to, isType }) => {
    const known = subfolders[folderOf(from)];
    if (known === undefined || folderOf(to) !== folderOf(from)) return false;
    const [source, target] = [subfolderOf(from), subfolderOf(to)];
    const allowed = known[source] ?? [];
    const isAllowed = allowed.includes(target) || (isType && allowed.includes(`type ${target}`));
    return source !== '' && source !== target && !isAllowed;
  });
  expect(strays).toEqual([]);
});

test('one file imports the browser’s own API, and outside the feature none uses the global one', () => {
  const importers = imports.filter(({ from, to }) => to === 'webextension-polyfill' && !isFeature(from));
  expect(importers.map(({ from }) => from)).toEqual(['bridge/browser.ts']);
  const users = files
    .filter((file) => !isFeature(file))
    .filter((file) => /\b(?:chrome|globalThis\.browser)\.\w/.test(readFileSync(join(src, file), 'utf8')));
  expect(users).toEqual([]);
});

test('a token of the stored session is sent by its handle alone, which was made with its provider’s settings', () => {
  const findUsers = (names: RegExp) =>
    files
      .filter((file) => ['background', 'parts'].includes(folderOf(file)))
      .filter((file) => names.test(readFileSync(join(src, file), 'utf8')))
      .toSorted();
  const handle = 'background/session/usable.ts';
  expect(
    findUsers(/\b(?:requestResource|requestUserInfo|renewTokens|createEndSessionRequest|idTokenHint)\b/),
  ).toEqual([
    handle,
    // The user API gets a token that has just come, or that of a handle.
    'parts/oauth.ts',
  ]);
  expect(findUsers(/\bnew Usable\b/)).toEqual([handle]);
  expect(findUsers(/\brequestUser\(/)).toEqual(['parts/oauth.ts']);
});

test('no message, board or page has a place for a token', () => {
  const outside = files.filter(
    (file) => ['session', 'bridge', 'popup', 'feature'].includes(folderOf(file)) && !isFeature(file),
  );
  const found = outside.filter((file) =>
    /\b(?:accessToken|refreshToken|idToken|access_token|refresh_token|id_token|codeVerifier)\b/.test(
      readFileSync(join(src, file), 'utf8'),
    ),
  );
  expect(found).toEqual([]);
});
