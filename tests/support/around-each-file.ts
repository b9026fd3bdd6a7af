// Runs around each test and each file of the unit tests. A worker runs many files in one process, so whatever a file leaves in the globals, or
// leaves running in the extension's worker, would affect the files after it, and a run would depend on the order of its files.

import { afterAll, afterEach, vi } from 'vitest';
import { removeFolders } from './folder.ts';
import { Life } from './mortal.ts';
import { followCryptography, rest } from './rest.ts';
import { endTimers } from './timers-of-file.ts';

/** Objects whose members tests replace, besides the globals themselves. */
const names = [
  'AbortSignal',
  'Date',
  'Error',
  'EventTarget',
  'IDBDatabase',
  'Math',
  'Promise',
  'Response',
  'console',
  'crypto',
  'navigator',
  'performance',
];

function findObjects(): readonly (readonly [name: string, object: object])[] {
  const found = names.flatMap((name) => {
    const object = Reflect.get(globalThis, name) as object | (() => void) | undefined;
    if (object === undefined) return [];
    const prototype = typeof object === 'function' ? [[`${name}.prototype`, object.prototype]] : [];
    return [[name, object], ...prototype] as [string, object][];
  });
  return [['globalThis', globalThis], ['crypto.subtle', crypto.subtle], ...found];
}

type Descriptors = ReadonlyMap<PropertyKey, PropertyDescriptor | undefined>;

function describe(object: object): Descriptors {
  return new Map(
    Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)] as const),
  );
}

/** Packages of the build listen for the end of the process. */
const listeners = () =>
  process
    .eventNames()
    .filter((event) => event !== 'beforeExit')
    .map((event) => [event, process.listenerCount(event)] as const);

const objects = findObjects();
const before = objects.map(([, object]) => describe(object));
const environment = { ...process.env };
const listenersBefore = new Map(listeners());
const stopFollowing = followCryptography();

const { cleanup } =
  'document' in globalThis ? await import('@testing-library/react') : { cleanup: () => undefined };

/** What a test has put in place of something of the platform, and what it has shown, ends with it. */
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

afterAll(async () => {
  // The next file would take their steps and timers for its own.
  await rest({ steps: () => Life.steps });
  endTimers();
  stopFollowing();
  removeFolders();
  const changed = objects.flatMap(([name, object], index) =>
    findChanged(before[index] ?? new Map(), describe(object)).map((key) => `${name}.${String(key)}`),
  );
  const variables = new Set([...Object.keys(environment), ...Object.keys(process.env)]);
  for (const name of variables)
    if (environment[name] !== process.env[name]) changed.push(`process.env.${name}`);
  for (const [event, count] of listeners())
    if (count !== (listenersBefore.get(event) ?? 0)) changed.push(`process.on('${String(event)}')`);
  // Each file gets a database of its own.
  if ('indexedDB' in globalThis) globalThis.indexedDB = new IDBFactory();
  if (changed.length > 0) throw new Error(`This file leaves changed what others use: ${changed.join(', ')}`);
});

/** The keys of what was changed, added or removed. */
function findChanged(old: Descriptors, now: Descriptors): readonly PropertyKey[] {
  const removed = [...old.keys()].filter((key) => !now.has(key));
  return [
    ...removed,
    ...[...now].filter(([key, descriptor]) => !isSame(key, old.get(key), descriptor)).map(([key]) => key),
  ];
}

/** Globals that packages add when a file imports them, which happens once for each worker. */
const added = /^(?:IDB\w+|indexedDB|URLPattern|__zod_\w+|Symbol\(.*\))$/;

function isSame(key: PropertyKey, old: PropertyDescriptor | undefined, now?: PropertyDescriptor): boolean {
  if (old === undefined)
    return (now?.value === undefined && now?.get === undefined) || added.test(String(key));
  if (key === 'indexedDB') return true;
  // Node loads some of its globals at their first use.
  const value: unknown =
    old.get !== undefined && now?.get === undefined ? old.get.call(globalThis) : old.value;
  return Object.is(value, now?.value) && (now?.get === undefined || old.get === now.get);
}
