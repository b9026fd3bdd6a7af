import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { firstChunk, toModule } from '../../../tools/build/first-paint.ts';

const require = createRequire(import.meta.url);
const popup = resolve(import.meta.dirname, '../../../src/popup').replaceAll('\\', '/');
const [main, app] = [`${popup}/main.ts`, `${popup}/start-app.tsx`];

interface Imports {
  readonly statically?: readonly string[];
  readonly later?: readonly string[];
}

/** The modules with a chunk of their own choice, in a build with these imports. */
function inFirstChunk(graph: Readonly<Record<string, Imports>>): readonly string[] {
  const { name } = firstChunk();
  const getModuleInfo = (id: string) => ({
    importers: Object.keys(graph).filter((other) => graph[other]?.statically?.includes(id)),
    importedIds: graph[id]?.statically ?? [],
    dynamicallyImportedIds: graph[id]?.later ?? [],
  });
  return Object.keys(graph).filter((id) => name(id, { getModuleInfo }) === 'popup');
}

const alone: Readonly<Record<string, Imports>> = {
  'index.html': { statically: [main] },
  [main]: { statically: ['locale', 'board'], later: [app] },
  board: { statically: ['shape'] },
  shape: {},
  locale: {},
  [app]: { statically: ['board', 'react'] },
  react: {},
};

test('the popup’s entry is in one chunk with all that it imports, and React is not', () => {
  expect(inFirstChunk(alone)).toEqual([main, 'board', 'shape', 'locale']);
});

test.each([
  ['some of it', { page: { statically: ['board'] } }],
  ['what imports some of it', { page: { statically: ['observer'] } }],
])('another page that imports %s does not run the popup', (_what, page) => {
  const observer = { statically: ['board'] };
  const react = { statically: ['observer'] };
  const withPage = { ...alone, observer, react, 'page.html': { statically: ['page'] }, ...page };
  expect(inFirstChunk(withPage)).toEqual(['board', 'shape', 'locale']);
});

test.each(['react', 'react-dom'])('%s as a module has the exports of its CommonJS file', async (name) => {
  const file = require.resolve(name).replace('index.js', `cjs/${name}.production.js`);
  const code = toModule(readFileSync(file, 'utf8')).replace(
    '"react"',
    `"${pathToFileURL(require.resolve('react'))}"`,
  );
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const { default: whole, ...exported } = (await import(url)) as Readonly<Record<string, object>>;
  expect(exported).toEqual(whole);
  expect(Object.keys(exported).toSorted()).toEqual(Object.keys(require(file) as object).toSorted());
});
