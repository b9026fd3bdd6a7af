// Prepares a rendered face for tests and screenshots.

import { useEffect } from 'react';
import type { Face } from './face-view.ts';

/** Stops the animations at `openedMsAgo`, then sets `data-face` on the page, which tests wait for. */
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
