// What happens to a face once it is there.

import { useEffect } from 'react';
import type { Face } from './faces.ts';

/** Stops the animations where they are by then, and names the face that is on show. */
export function Shown({ face: { id, openedMsAgo } }: { readonly face: Face }) {
  useEffect(() => {
    if (openedMsAgo !== undefined) {
      for (const animation of document.getAnimations()) {
        animation.pause();
        animation.currentTime = openedMsAgo;
      }
    }
    document.documentElement.dataset['face'] = id;
  }, [id, openedMsAgo]);
  return null;
}
