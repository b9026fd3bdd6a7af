// A storage area in which Latchkey's items can't collide with those of the extension around it.

import type { ManyItemsArea } from '../background/storage.ts';
import type { BoardArea } from '../bridge/session/board.ts';

const prefix = 'latchkey:';

type OwnArea = BoardArea & ManyItemsArea;

/** The part of `area` that belongs to Latchkey: its keys have a prefix there, and no other keys are visible. */
export function withOwnKeys(area: OwnArea): OwnArea {
  return {
    async get(keys) {
      const own = [keys].flat().map((key) => prefix + key);
      const items = Object.entries(await area.get(own));
      return Object.fromEntries(items.map(([key, value]) => [key.slice(prefix.length), value]));
    },
    set: (items) =>
      area.set(Object.fromEntries(Object.entries(items).map(([key, value]) => [prefix + key, value]))),
    remove: (key) => area.remove(prefix + key),
    onChanged: {
      addListener(listener) {
        area.onChanged.addListener((changes) => {
          const own = Object.entries(changes).filter(([key]) => key.startsWith(prefix));
          if (own.length === 0) return;
          listener(Object.fromEntries(own.map(([key, change]) => [key.slice(prefix.length), change])));
        });
      },
    },
  };
}
