// Remembers which notice a page has shown, so that the next page does not repeat it.

import { noticeOf, settledSession } from '../../session/session.ts';
import type { SessionStore } from './store.ts';

export interface ShownNotice {
  /** Marks the present notice as shown. Whether it was shown before. */
  mark(): boolean;
}

export function createShownNotice(store: Pick<SessionStore, 'current'>): ShownNotice {
  let shown: ReturnType<typeof noticeOf> = null;
  return {
    mark() {
      const notice = noticeOf(settledSession(store.current()));
      const wasShown = notice !== null && notice === shown;
      shown = notice;
      return wasShown;
    },
  };
}
