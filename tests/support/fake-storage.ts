// The storage areas of a browser in memory: `storage.local`, `storage.session` and `storage.managed`, in the manner of
// Chromium or of Firefox. The contract (tests/contract) compares them with both browsers.

import { turns } from './turns.ts';

/** The browser that the fakes behave like. */
export type Manner = 'chromium' | 'firefox';

/** The browser of this run's scenes: `npm test` runs them in both. */
export const mannerOfRun: Manner = process.env['LATCHKEY_MANNER'] === 'firefox' ? 'firefox' : 'chromium';

type Changes = Record<string, { readonly oldValue?: unknown; readonly newValue?: unknown }>;

export class FakeStorageArea {
  readonly items = new Map<string, unknown>();
  readonly listeners = new Set<(changes: Changes) => void>();
  /** Set to make every write fail, as a full disk does. */
  failure: Error | null = null;
  private readonly manner: Manner;
  private readonly name: 'local' | 'session';
  private last: Promise<unknown> = Promise.resolve();

  constructor(name: 'local' | 'session' = 'local', manner: Manner = mannerOfRun) {
    this.name = name;
    this.manner = manner;
  }

  get(keys: string | string[]): Promise<Record<string, unknown>> {
    return this.inTurn(() => {
      const present = [keys].flat().filter((key) => this.items.has(key));
      return Object.fromEntries(present.map((key) => [key, structuredClone(this.items.get(key))]));
    });
  }

  async set(items: Record<string, unknown>): Promise<void> {
    // A later change of the object does not change what is stored.
    const copies = Object.entries(items).flatMap(([key, value]) => {
      const stored = toStored(value, this.manner);
      return stored === undefined ? [] : [[key, stored] as const];
    });
    return this.inTurn(() => {
      if (this.failure !== null) throw this.failure;
      const changes: [string, Changes[string]][] = [];
      for (const [key, value] of copies) {
        const isKnown = this.items.has(key);
        const old = this.items.get(key);
        this.items.set(key, value);
        // Firefox reports every write.
        if (this.manner === 'chromium' && isKnown && JSON.stringify(old) === JSON.stringify(value)) continue;
        changes.push([key, { ...(isKnown && { oldValue: old }), newValue: value }]);
      }
      this.tell(changes);
    });
  }

  remove(keys: string | string[]): Promise<void> {
    return this.inTurn(() => {
      const known = [keys].flat().filter((key) => this.items.has(key));
      const changes = known.map((key) => [key, { oldValue: this.items.get(key) }] as const);
      for (const key of known) this.items.delete(key);
      this.tell(changes);
    });
  }

  readonly onChanged = {
    addListener: (listener: (changes: Changes) => void) => void this.listeners.add(listener),
    removeListener: (listener: (changes: Changes) => void) => void this.listeners.delete(listener),
  };

  /** An area answers its calls in their order, and never before the next turn. */
  private inTurn<T>(work: () => T): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  private tell(changes: readonly (readonly [string, Changes[string]])[]): void {
    if (changes.length === 0) return;
    // A listener that is added in the meantime isn't called.
    const listeners = [...this.listeners];
    const dispatch = () => {
      for (const listener of listeners)
        if (this.listeners.has(listener)) listener(structuredClone(Object.fromEntries(changes)));
    };
    // Firefox resolves the promise of `storage.local.set` before.
    if (this.manner === 'firefox' && this.name === 'local') void turns(1).then(dispatch);
    else dispatch();
  }
}

/** A value as the browser stores it; undefined if it does not. */
function toStored(value: unknown, manner: Manner): unknown {
  return manner === 'firefox' ? structuredClone(value) : toJson(value);
}

/** A value as Chromium stores it: objects with what JSON can hold. */
function toJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => toJson(one) ?? null);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, one]) => [key, toJson(one)] as const);
    return Object.fromEntries(members.filter(([, one]) => one !== undefined));
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' || typeof value === 'boolean' || value === null ? value : undefined;
}

/** The policy as the browser passes it on: nothing, until it has one. */
export class FakeManagedStorage {
  policy: Record<string, unknown> = {};
  /** `get` rejects with this error. */
  failure: Error | null = null;
  /** Resolves when `get` may answer. Chromium answers none until it has loaded its policies after its start. */
  loaded: Promise<void> = Promise.resolve();
  /** How the extension was installed. */
  installType = 'normal';
  readonly listeners = new Set<() => void>();
  private readonly manner: Manner;

  constructor(manner: Manner = mannerOfRun) {
    this.manner = manner;
  }

  async get(): Promise<Record<string, unknown>> {
    await this.loaded;
    if (this.failure !== null) throw this.failure;
    if (this.manner === 'firefox' && Object.keys(this.policy).length === 0) {
      throw new Error('Managed storage manifest not found');
    }
    return structuredClone(this.policy);
  }

  /** The administrator changes the policy. */
  change(policy: Record<string, unknown>): void {
    this.policy = policy;
    for (const listener of this.listeners) listener();
  }

  readonly onChanged = { addListener: (listener: () => void) => void this.listeners.add(listener) };
}
