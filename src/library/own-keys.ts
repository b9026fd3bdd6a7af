// A storage area in which Latchkey's items cannot collide with those of the extension around it.

import type { BoardArea } from '../bridge/session/board.ts';

const prefix = 'latchkey:';

type Changes = Record<string, { newValue?: unknown }>;

/** The part of `area` that is Latchkey's own: each key stands in it with a prefix, and nothing else is seen. */
export function withOwnKeys(area: BoardArea): BoardArea {
  const inner = new WeakMap<(changes: Changes) => void, (changes: Changes) => void>();
  return {
    async get(key) {
      const { [prefix + key]: value } = await area.get(prefix + key);
      return value === undefined ? {} : { [key]: value };
    },
    set: (items) =>
      area.set(Object.fromEntries(Object.entries(items).map(([key, value]) => [prefix + key, value]))),
    remove: (key) => area.remove(prefix + key),
    onChanged: {
      addListener(listener) {
        const onChanged = (changes: Changes) => {
          const own = Object.entries(changes).filter(([key]) => key.startsWith(prefix));
          if (own.length === 0) return;
          listener(Object.fromEntries(own.map(([key, change]) => [key.slice(prefix.length), change])));
        };
        inner.set(listener, onChanged);
        area.onChanged.addListener(onChanged);
      },
      removeListener(listener) {
        const onChanged = inner.get(listener);
        if (onChanged !== undefined) area.onChanged.removeListener(onChanged);
      },
    },
  };
}
