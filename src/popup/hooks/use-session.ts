// Connects the session observer to React.

import { useSyncExternalStore } from 'react';
import type { BoardView, SessionObserver } from '../../bridge/session/observer.ts';

/** The current view of the board. Renders the component again when it changes. */
export function useSession(observer: SessionObserver): BoardView {
  return useSyncExternalStore(observer.subscribe, observer.getSnapshot, observer.getSnapshot);
}
