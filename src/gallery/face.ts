// One view of the popup, called a face, and how the lists of faces are written.

import type { Board, BoardView } from '../bridge/session/observer.ts';
import type { Problem } from '../session/problem.ts';
import type { Session } from '../session/session.ts';
import { demo } from './examples.ts';

/** The parts of a face besides its session. */
interface Further {
  /** The problem with which commands are refused: "Show the window" if it is about the window, otherwise all. */
  readonly refusal?: Problem | undefined;
  /** The feature to mount. By default the feature area is empty. */
  readonly feature?: 'plain' | 'tall' | 'failing' | undefined;
  /** Stops all animations at this time after the popup was opened. */
  readonly openedMsAgo?: number | undefined;
}

/** One view of the popup. */
export interface Face extends Further {
  /** Identifies the face in a URL. Stable. */
  readonly id: string;
  readonly title: string;
  readonly view: BoardView;
}

/** A face as the lists have it. `further` also has what differs from a board with the demo provider. */
export type Row = readonly [
  id: string,
  title: string,
  session: Session | 'starting',
  further?: Further & Partial<Omit<Board, 'session'>>,
];

export function toFace([id, title, session, further = {}]: Row): Face {
  const { refusal, feature, openedMsAgo, ...changes } = further;
  const view: BoardView =
    session === 'starting'
      ? { status: 'starting' }
      : { status: 'ready', board: { version: 1, session, providers: [demo], managed: false, ...changes } };
  return { id, title, view, refusal, feature, openedMsAgo };
}
