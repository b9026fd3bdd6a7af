// Two storage areas. One of them has the board.

import type { BoardArea } from './board.ts';

/** The area `first`, or `second` for what the first one does not have. Changes of both are reported. */
export function eitherArea(first: BoardArea, second: BoardArea): BoardArea {
  return {
    set: (items) => first.set(items),
    remove: (key) => first.remove(key),
    async get(key) {
      const items = await first.get(key);
      return key in items ? items : second.get(key);
    },
    onChanged: {
      addListener(listener) {
        for (const area of [first, second]) area.onChanged.addListener(listener);
      },
    },
  };
}
