// The worker's database in a real implementation of IndexedDB, in memory, whose writes can fail.

import { IDBFactory } from 'fake-indexeddb';
import { createDatabase, type Database, type WithDatabase } from '../../../src/background/vault/database.ts';

export type Stored = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** Hears of the writes. Each of the two makes one fail by throwing. */
interface Writes {
  /** Called before a record is written. `label` names it. A transaction in which one fails is undone. */
  readonly before: (label: string) => void;
  /** Called after a transaction was written. `label` names all of its records. */
  readonly after: (label: string) => Promise<void>;
}

export interface SearchDatabase {
  /** The database as one worker has it. */
  connect(): WithDatabase;
  /** A copy of everything that is stored. */
  stored(): Promise<Stored>;
  /** Another number after each write. */
  version(): number;
  /** Whether it works on a request or a transaction. */
  isBusy(): boolean;
}

const storeNames = ['keys', 'vault', 'providers'] as const;

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** The parts of a transaction of `idb` that the worker uses. */
interface Transaction {
  readonly objectStore: (
    name: string,
  ) => Readonly<Record<'get' | 'getAll' | 'getAllKeys' | 'put' | 'delete', Call>>;
  readonly done: Promise<void>;
  readonly abort: () => void;
}

/** A database that holds `initial`. */
export function createSearchDatabase(initial: Stored, writes: Writes): SearchDatabase {
  const factory = new IDBFactory();
  const open = createDatabase();
  let version = 0;
  let working = 0;

  /** Counts as work until `work` settles. */
  const counted = <T>(work: Promise<T>): Promise<T> => {
    const end = () => void (working -= 1);
    working += 1;
    work.then(end, end);
    return work;
  };

  const withRealDatabase: WithDatabase = (use) => {
    // Each order has a factory of its own.
    globalThis.indexedDB = factory;
    return open(use);
  };

  const fill = () =>
    withRealDatabase(async (database) => {
      const transaction = database.transaction([...storeNames], 'readwrite');
      const puts = storeNames.flatMap((name) => {
        const store = transaction.objectStore(name) as unknown as { readonly put: Call };
        return [...(initial.get(name) ?? [])].map(([key, value]) => store.put(value, key));
      });
      await Promise.all([...puts, transaction.done]);
    });
  let filled: Promise<void> | null = null;
  const ready = () => counted((filled ??= fill()));

  const toWatchedTransaction = (
    real: Transaction,
    names: string | readonly string[],
  ): Omit<Transaction, 'abort'> => {
    const labels: string[] = [];
    let failure: { readonly error: unknown } | null = null;
    const objectStore: Transaction['objectStore'] = (name) => {
      const store = real.objectStore(name);
      const watched =
        (act: 'put' | 'delete'): Call =>
        async (...args) => {
          const label = toLabel(name, act, args);
          labels.push(label);
          try {
            if (failure === null) writes.before(label);
          } catch (error) {
            failure = { error };
            real.abort();
          }
          if (failure !== null) throw failure.error;
          return store[act](...args);
        };
      const { get, getAll, getAllKeys } = store;
      const toCall =
        (read: Call): Call =>
        (...args) =>
          Reflect.apply(read, store, args);
      return {
        get: toCall(get),
        getAll: toCall(getAll),
        getAllKeys: toCall(getAllKeys),
        put: watched('put'),
        delete: watched('delete'),
      };
    };
    const finish = async () => {
      try {
        await real.done;
      } catch (error) {
        throw failure === null ? error : failure.error;
      }
      if (labels.length === 0) return;
      version += 1;
      await writes.after(labels.join(', '));
    };
    const done = counted(finish());
    // A worker that has died does not look at it.
    done.catch(() => undefined);
    return { objectStore, done, ...(typeof names === 'string' && { store: objectStore(names) }) };
  };

  const toWatched = (database: Database): Database => {
    const transaction = (...args: Parameters<Call>) => {
      const real = Reflect.apply(database.transaction, database, args) as unknown as Transaction;
      return toWatchedTransaction(real, args[0] as string | readonly string[]);
    };
    /** A transaction of one write. */
    const write =
      (act: 'put' | 'delete') =>
      async (name: string, ...args: Parameters<Call>) => {
        const { objectStore, done } = transaction(name, 'readwrite');
        await Promise.all([objectStore(name)[act](...args), done]);
      };
    const watched = { transaction, put: write('put'), delete: write('delete') };
    return new Proxy(database, {
      get(target, key) {
        if (Object.hasOwn(watched, key)) return Reflect.get(watched, key) as unknown;
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        return (...args: Parameters<Call>) => counted(Reflect.apply(member as Call, target, args));
      },
    });
  };

  return {
    connect() {
      const known = new WeakMap<Database, Database>();
      return async (use) => {
        await ready();
        return withRealDatabase((database) => {
          const watched = known.get(database) ?? toWatched(database);
          known.set(database, watched);
          return use(watched);
        });
      };
    },
    async stored() {
      await ready();
      const read = async (database: Database, name: (typeof storeNames)[number]) => {
        const [keys, values] = await Promise.all([database.getAllKeys(name), database.getAll(name)]);
        return [name, new Map(keys.map((key, index) => [key, values[index]]))] as const;
      };
      return withRealDatabase(
        async (database) => new Map(await Promise.all(storeNames.map((name) => read(database, name)))),
      );
    },
    version: () => version,
    isBusy: () => working > 0,
  };
}

function toLabel(store: string, act: 'put' | 'delete', args: readonly unknown[]): string {
  const key = act === 'put' ? args[1] : args[0];
  // The part after the colon is different in each run.
  return `${store}: ${act} ${typeof key === 'string' ? key.replace(/:.*/, '') : 'a range'}`;
}
