// One face of the popup, and how the lists of faces are written.

import type { Board, BoardView } from '../bridge/session/observer.ts';
import type { Problem } from '../session/problem.ts';
import type { Session } from '../session/session.ts';
import { demo } from './examples.ts';

/** One view of the popup. */
export interface Face {
  /** Identifies the face in a URL. Stable. */
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly view: BoardView;
  /** The problem with which commands are refused: "Show the window" if it is about the window, otherwise all. */
  readonly refusal?: Problem;
  /** The feature to mount. By default the feature area is empty. */
  readonly feature?: 'tall' | 'failing';
  /** Stops all animations at this time after the popup was opened. */
  readonly openedMsAgo?: number;
}

/** The problem of a command that the worker does not answer. */
export const unreachable = { code: 'worker-unreachable', detail: null } as const;
/** The view of a page whose board shows the session. `changes` are the other members of the board. */
export function show(session: Session, changes: Partial<Board> = {}): Pick<Face, 'view'> {
  const board = { version: 1, session, providers: [demo], managed: false, ...changes } as const;
  return { view: { status: 'ready', board } };
}

/** The faces by their ids. */
export function inGroup(
  group: string,
  faces: Readonly<Record<string, Omit<Face, 'id' | 'group'>>>,
): readonly Face[] {
  return Object.entries(faces).map(([id, face]) => ({ id, group, ...face }));
}
