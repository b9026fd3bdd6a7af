// IndexedDB: transactions, and the opening, upgrade and deletion of a database.

import { deleteDB, openDB, type IDBPDatabase } from 'idb';
import type { Probe, Row } from '../row.ts';

const name = 'contract';

/** Runs `use` on a new database with the stores `one` and `other`. */
async function withDatabase(use: (database: IDBPDatabase) => Promise<unknown>): Promise<void> {
  await deleteDB(name);
  const database = await openDB(name, 1, {
    upgrade(created) {
      created.createObjectStore('one');
      created.createObjectStore('other');
    },
  });
  try {
    await use(database);
  } finally {
    database.close();
  }
}

/** A row about an open database. */
function onDatabase(
  behaviour: string,
  run: (database: IDBPDatabase, probe: Probe) => Promise<unknown>,
  notes: Row['notes'],
): Row {
  return { behaviour, run: (probe) => withDatabase((database) => run(database, probe)), notes };
}

/** Resolves in a later task. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });

export const databaseRows: readonly Row[] = [
  onDatabase(
    'transactions that write to one store run one after the other',
    async (database, { note }) => {
      const add = async (what: string) => {
        const { store, done } = database.transaction('one', 'readwrite');
        const before = (await store.get('sum')) as string | undefined;
        note(`${what} reads ${before}`);
        await store.put((before ?? '') + what, 'sum');
        await done;
        note(`${what} is done`);
      };
      await Promise.all([add('first'), add('second')]);
      note(String(await database.get('one', 'sum')));
    },
    ['first reads undefined', 'first is done', 'second reads first', 'second is done', 'firstsecond'],
  ),
  onDatabase(
    'a transaction ends when a task passes without a request',
    async (database, { note, settles }) => {
      const { store, done } = database.transaction('one', 'readwrite');
      await store.put(1, 'a');
      await done;
      await nextTask();
      await settles('a late put', (async () => store.put(2, 'b'))().catch(toName));
      note(JSON.stringify(await database.getAllKeys('one')));
    },
    ['a late put resolves with TransactionInactiveError', '["a"]'],
  ),
  onDatabase(
    'an abort undoes the whole transaction',
    async (database, { note, settles }) => {
      await database.put('one', 'old', 'key');
      const transaction = database.transaction(['one', 'other'], 'readwrite');
      await transaction.objectStore('one').put('new', 'key');
      await transaction.objectStore('other').put('new', 'key');
      transaction.abort();
      await settles('done', transaction.done.catch(toName));
      note(
        `one: ${String(await database.get('one', 'key'))}, other: ${String(await database.get('other', 'key'))}`,
      );
    },
    ['done resolves with AbortError', 'one: old, other: undefined'],
  ),
  onDatabase(
    'a request that fails aborts its transaction',
    async (database, { note, settles }) => {
      await database.put('one', 'old', 'key');
      const transaction = database.transaction('one', 'readwrite');
      const put = settles(
        'put',
        transaction.store.put('new', 'another key').then(() => 'a key'),
      );
      const add = settles('add', transaction.store.add('new', 'key').catch(toName));
      const done = settles('done', transaction.done.catch(toName));
      await Promise.all([put, add, done]);
      note(JSON.stringify(await database.getAllKeys('one')));
    },
    [
      'put resolves with a key',
      'add resolves with ConstraintError',
      'done resolves with AbortError',
      '["key"]',
    ],
  ),
  onDatabase(
    'a value is a copy, and a key of the platform stays one',
    async (database, { note }) => {
      const value = { list: [1], none: undefined, bytes: new Uint8Array([1, 2]) };
      await database.put('one', value, 'value');
      value.list.push(2);
      const stored = (await database.get('one', 'value')) as typeof value;
      note(`${stored.list.length}, ${'none' in stored}, ${stored.bytes.constructor.name}`);
      const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
      await database.put('one', key, 'key');
      const kept = (await database.get('one', 'key')) as CryptoKey;
      note(`${kept.constructor.name}, ${kept.extractable ? 'extractable' : 'not extractable'}`);
      await database.put('one', () => 1, 'function').catch((error: unknown) => note(toName(error)));
    },
    ['1, true, Uint8Array', 'CryptoKey, not extractable', 'DataCloneError'],
  ),
  {
    behaviour: 'a version below that of the database is refused',
    async run({ settles }) {
      await deleteDB(name);
      (await openDB(name, 2)).close();
      await settles(
        'open',
        openDB(name, 1).then(() => 'a database', toName),
      );
    },
    notes: ['open resolves with VersionError'],
  },
  {
    behaviour: 'a connection that is open is asked to close, and blocks an upgrade until it does',
    async run({ note }) {
      await deleteDB(name);
      const old = await openDB(name, 1, { blocking: () => note('blocking') });
      const upgraded = openDB(name, 2, {
        blocked() {
          note('blocked');
          old.close();
        },
        upgrade: () => note('upgrade'),
      });
      (await upgraded).close();
      note('open');
    },
    notes: ['blocking', 'blocked', 'upgrade', 'open'],
  },
  {
    behaviour: 'a deletion waits for a connection that stays open',
    async run({ note }) {
      await deleteDB(name);
      const user = await openDB(name, 1, { blocking: () => note('blocking') });
      await deleteDB(name, {
        blocked() {
          note('blocked');
          user.close();
        },
      });
      note('deleted');
      const again = await openDB(name, 1, { upgrade: () => note('made anew') });
      again.close();
    },
    notes: ['blocking', 'blocked', 'deleted', 'made anew'],
  },
];

function toName(error: unknown): string {
  return (error as Error).name;
}
