// Binds the session that this page observes to React. The worker alone changes it.

import { useSyncExternalStore } from 'react';
import type { BoardView, SessionObserver } from '../../bridge/session/observer.ts';

/** What the board shows now; renders again when it changes. */
export function useSession(observer: SessionObserver): BoardView {
  return useSyncExternalStore(observer.subscribe, observer.getSnapshot, observer.getSnapshot);
}
