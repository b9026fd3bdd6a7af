// Counts the listeners that the code in src adds and removes: on the platform's event targets, and in sets of functions, which its
// own subscriptions and the fakes' events use.

/** A listener that has been added and not removed. */
interface Added {
  readonly target: object;
  readonly kind: string;
  readonly listener: unknown;
  /** The file in src that added it. */
  readonly file: string;
}

type Listen = EventTarget['addEventListener'];

/** The file in src that adds a listener now, perhaps with the help of a fake; null if it is not in src. */
function readFile(): string | null {
  const { stackTraceLimit } = Error;
  // Finding the source of more places takes long.
  Error.stackTraceLimit = 6;
  const places = new Error('for its stack').stack?.split('\n').slice(1) ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const place = places.find((one) => !one.includes('/tests/support/')) ?? '';
  return place.includes('/node_modules/') ? null : (/\/src\/([\w./-]+\.tsx?)/.exec(place)?.[1] ?? null);
}

const toKind = (type: string, options: Parameters<Listen>[2]) =>
  `${type} ${typeof options === 'object' ? options.capture === true : options === true}`;

/** The object in the chain of prototypes that has this member itself. */
function findOwner<T extends object>(part: T, key: keyof T): T {
  const parent = Object.getPrototypeOf(part) as T | null;
  return Object.hasOwn(part, key) || parent === null ? part : findOwner(parent, key);
}

/**
 * Follows each listener from now on, until `stop` is called. A listener is gone when it's removed, when it has been called if it
 * is added with `once`, and when its signal has aborted or its port was closed.
 */
export function followListeners() {
  let added: readonly Added[] = [];
  const note = (target: object, kind: string, listener: unknown, file: string | null) => {
    const isSame = (one: Added) => one.target === target && one.kind === kind && one.listener === listener;
    if (file !== null && !added.some(isSame)) added = [...added, { target, kind, listener, file }];
  };
  const drop = (target: object, kind?: string, listener?: unknown) => {
    added = added.filter(
      (one) =>
        one.target !== target || (kind !== undefined && (one.kind !== kind || one.listener !== listener)),
    );
  };

  const undo: (() => void)[] = [];
  /** Replaces a method for a while. */
  const replace = <T extends object, Key extends keyof T>(owner: T, key: Key, method: T[Key]) => {
    const before = Object.getOwnPropertyDescriptor(owner, key);
    Object.defineProperty(owner, key, { value: method, configurable: true, writable: true });
    undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(owner, key);
      else Object.defineProperty(owner, key, before);
    });
  };

  const replaceTarget = (owner: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>) => {
    const { addEventListener: add, removeEventListener: remove } = owner;
    replace(owner, 'addEventListener', function addEventListener(this: EventTarget, type, listener, options) {
      const [target, kind] = [this ?? globalThis, toKind(type, options)];
      note(target, kind, listener, readFile());
      const isOnce = typeof options === 'object' && options.once === true;
      if (isOnce) add.call(target, type, () => drop(target, kind, listener), options);
      add.call(target, type, listener, options);
    });
    replace(
      owner,
      'removeEventListener',
      function removeEventListener(this: EventTarget, type, listener, options) {
        const target = this ?? globalThis;
        drop(target, toKind(type, options), listener);
        remove.call(target, type, listener, options);
      },
    );
  };
  replaceTarget(EventTarget.prototype);
  if ('document' in globalThis) {
    // The document's own targets, and the window, to which the global functions are bound.
    replaceTarget(findOwner(document, 'addEventListener'));
    replaceTarget(globalThis);
  }

  const { close } = MessagePort.prototype;
  replace(MessagePort.prototype, 'close', function closePort(this: MessagePort) {
    drop(this);
    close.call(this);
  });

  const { add, delete: remove, clear } = Set.prototype as Set<unknown>;
  replace(Set.prototype as Set<unknown>, 'add', function addToSet(this: Set<unknown>, value) {
    if (typeof value === 'function') note(this, 'set', value, readFile());
    return add.call(this, value);
  });
  replace(Set.prototype as Set<unknown>, 'delete', function deleteFromSet(this: Set<unknown>, value) {
    if (typeof value === 'function') drop(this, 'set', value);
    return remove.call(this, value);
  });
  replace(Set.prototype as Set<unknown>, 'clear', function clearSet(this: Set<unknown>) {
    drop(this);
    clear.call(this);
  });

  return {
    /** How many listeners of each file in src are left. */
    left(): Readonly<Record<string, number>> {
      const isOver = ({ target }: Added) => target instanceof AbortSignal && target.aborted;
      const files = added.filter((one) => !isOver(one)).map(({ file }) => file);
      return Object.fromEntries(
        [...new Set(files)].toSorted().map((file) => [file, files.filter((one) => one === file).length]),
      );
    },
    stop() {
      for (const one of undo.toReversed()) one();
    },
  };
}
