// The rooms of src and the doors between them.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** What each room may import of ours, and what of others'. Types alone may come from the rooms in `types`. */
const rooms: Record<string, { rooms: string[]; types?: string[]; packages: string[] }> = {
  session: { rooms: [], packages: ['valibot'] },
  concurrency: { rooms: [], packages: [] },
  config: { rooms: ['session'], packages: ['valibot'] },
  oidc: { rooms: ['concurrency', 'config', 'session'], packages: ['oauth4webapi', 'valibot'] },
  bridge: {
    rooms: ['concurrency', 'session'],
    packages: ['valibot', 'webextension-polyfill', 'latchkey:config'],
  },
  background: {
    rooms: ['bridge', 'concurrency', 'config', 'oidc', 'session', 'feature'],
    packages: ['idb', 'valibot', 'latchkey:config'],
  },
  popup: {
    rooms: ['bridge', 'session', 'feature'],
    types: ['config'],
    packages: ['react', 'react-dom', 'react-dom/client', 'public/_locales/en/messages.json'],
  },
  feature: { rooms: [], types: ['session', 'bridge'], packages: ['react'] },
  /** For developers alone: nothing imports it, and no build that ships has it. */
  gallery: {
    rooms: ['popup', 'session'],
    types: ['bridge'],
    packages: ['react', 'react-dom/client', 'latchkey:languages'],
  },
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

const imports: readonly Import[] = files.flatMap((from) => {
  const text = readFileSync(join(src, from), 'utf8');
  const statements = text.matchAll(
    /(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\(\s*'([^']+)'\s*\)/g,
  );
  return [...statements].map(([, type, source, lazy]) => {
    const target = source ?? lazy ?? '';
    const to = target.startsWith('.') ? relative(src, resolve(src, dirname(from), target)) : target;
    return { from, to, isType: type !== undefined };
  });
});

const roomOf = (file: string) => file.split('/')[0] ?? '';
const isOurs = (to: string) => roomOf(to) in rooms;

test('every file stands in a room that this test knows', () => {
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(Object.keys(rooms).toSorted());
});

test('the imports are found', () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports).toContainEqual({ from: 'session/reconcile.ts', to: 'session/problem.ts', isType: false });
});

test('every import goes through a door that is there', () => {
  const strays = imports.filter(({ from, to, isType }) => {
    const room = rooms[roomOf(from)];
    if (room === undefined) return true;
    if (!isOurs(to)) return !room.packages.includes(to) && !to.endsWith('.css');
    const target = roomOf(to);
    if (target === roomOf(from) || room.rooms.includes(target)) return false;
    return !(isType && room.types?.includes(target));
  });
  expect(strays).toEqual([]);
});

test('one file knows the browser’s own API', () => {
  const doors = imports.filter(({ to }) => to === 'webextension-polyfill').map(({ from }) => from);
  expect(doors).toEqual(['bridge/browser.ts']);
  const users = files.filter((file) =>
    /\b(?:chrome|globalThis\.browser)\.\w/.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(users).toEqual([]);
});

test('no file imports itself, by however many others', () => {
  const circles: string[] = [];
  const fetchPage = (file: string, path: readonly string[]) => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (seen.has(file)) return;
    seen.add(file);
    for (const { to, isType } of imports.filter(({ from }) => from === file)) {
      if (!isType && isOurs(to)) fetchPage(to, [...path, file]);
    }
  };
  const seen = new Set<string>();
  for (const file of files) fetchPage(file, []);
  expect(circles).toEqual([]);
});

test('no message, board or page has a place for a token', () => {
  const outside = files.filter((file) => ['session', 'bridge', 'popup', 'feature'].includes(roomOf(file)));
  const notice = outside.filter((file) =>
    /\b(?:accessToken|refreshToken|idToken|access_token|refresh_token|id_token|codeVerifier)\b/.test(
      readFileSync(join(src, file), 'utf8'),
    ),
  );
  expect(notice).toEqual([]);
});
