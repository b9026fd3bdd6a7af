// The worker's database, in memory: what `idb` offers of it to the vault and to the cache. A transaction is written
// whole or not at all.

import type { Database, WithDatabase } from '../../../src/background/vault/database.ts';
import { ProblemError } from '../../../src/session/problem.ts';

export type Stored = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

type Change = (store: Map<string, unknown>) => void;

export interface MemoryDatabase {
  readonly withDatabase: WithDatabase;
  /** A copy of everything that is stored. */
  stored(): Stored;
  /** Another number after each write. */
  version(): number;
}

/** More microtasks than a user needs from one answer to its next question. */
const idleTurns = 10;

const storeNames = ['keys', 'vault', 'providers'];

/**
 * A database that holds `initial`. `onWrite` is asked before each write, and makes it fail by throwing; `onWritten` is
 * called after it.
 */
export function createMemoryDatabase(
  initial: Stored,
  onWrite: (label: string) => void,
  onWritten: (label: string) => Promise<void>,
): MemoryDatabase {
  const stores = new Map(storeNames.map((name) => [name, new Map(initial.get(name))]));

  let version = 0;

  const storeOf = (name: string) => {
    const store = stores.get(name);
    if (store === undefined) throw new DOMException(`There is no store "${name}".`, 'NotFoundError');
    return store;
  };

  const commit = async (changes: readonly (readonly [store: string, what: string, Change])[]) => {
    const label = changes.map(([store, what]) => `${store}: ${what}`).join(', ');
    onWrite(label);
    for (const [store, , change] of changes) change(storeOf(store));
    version += 1;
    await onWritten(label);
  };

  const put = (store: string, value: unknown, key: string) =>
    [store, `put ${toName(key)}`, (records: Map<string, unknown>) => void records.set(key, value)] as const;

  const remove = (store: string, key: string | IDBKeyRange) => {
    const change = (records: Map<string, unknown>) => {
      for (const known of records.keys()) {
        if (typeof key === 'string' ? known === key : isWithin(key, known)) records.delete(known);
      }
    };
    return [store, `delete ${typeof key === 'string' ? toName(key) : 'a range'}`, change] as const;
  };

  const transaction = (names: string | readonly string[]) => {
    const changes: (readonly [string, string, Change])[] = [];
    let uses = 0;
    let status: 'active' | 'ended' = 'active';
    /** A transaction ends when its user asks nothing of it any more. */
    const end = async () => {
      for (let before = -1; before !== uses;) {
        before = uses;
        for (let turn = 0; turn < idleTurns; turn += 1) await Promise.resolve();
      }
      status = 'ended';
      await commit(changes);
    };
    const done = end();
    const use = <T>(answer: T): T => {
      if (status === 'ended')
        throw new DOMException('The transaction has ended.', 'TransactionInactiveError');
      uses += 1;
      return answer;
    };
    const note = (change: readonly [string, string, Change]) => {
      use(changes.push(change));
      return done;
    };
    const objectStore = (store: string) =>
      loud({
        get: async (key: string) => use(storeOf(store).get(key)),
        put: (value: unknown, key: string) => note(put(store, value, key)),
        delete: (key: string | IDBKeyRange) => note(remove(store, key)),
      });
    // A transaction of one store has it at hand.
    return loud({ objectStore, done, ...(typeof names === 'string' && { store: objectStore(names) }) });
  };

  const database = {
    get: async (store: string, key: string) => storeOf(store).get(key),
    getKey: async (store: string, key: string) => (storeOf(store).has(key) ? key : undefined),
    getAll: async (store: string) => [...storeOf(store).values()],
    getAllKeys: async (store: string) => [...storeOf(store).keys()],
    put: (store: string, value: unknown, key: string) => commit([put(store, value, key)]),
    delete: (store: string, key: string) => commit([remove(store, key)]),
    transaction,
  };

  return {
    async withDatabase(use) {
      try {
        return await use(loud(database) as unknown as Database);
      } catch (cause) {
        if (cause instanceof ProblemError) throw cause;
        throw new ProblemError('storage-failed', cause instanceof Error ? cause.name : null, { cause });
      }
    },
    version: () => version,
    stored: () => new Map([...stores].map(([name, records]) => [name, new Map(records)])),
  };
}

/** The same object, which tells the test when the worker uses a part of `idb` that is missing here. */
function loud<T extends object>(known: T): T {
  return new Proxy(known, {
    get(target, key) {
      if (typeof key === 'symbol' || key === 'then' || key in target)
        return Reflect.get(target, key) as unknown;
      const error = new Error(`The explorer's database lacks "${key}".`);
      // The worker may handle what is thrown, so the test hears of it as of a rejection that nobody handles.
      void Promise.reject(error);
      throw error;
    },
  });
}

/** The name of a record, without the part that is different in each run. */
function toName(key: string): string {
  return key.replace(/:.*/, '');
}

function isWithin({ lower, upper }: IDBKeyRange, key: string): boolean {
  return key >= String(lower) && key <= String(upper);
}
