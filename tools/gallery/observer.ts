// A session observer of one face, without a worker, a provider or the extension API.

import type { SessionObserver } from '../../src/bridge/session/observer.ts';
import type { Face } from './faces.ts';

/**
 * Always shows the face's view. Refuses commands with the face's `refusal`, if there is one: only `show-window` if it is
 * about the window, and otherwise every command. Accepts the other commands, and does nothing.
 */
export function toObserver({ view, refusal }: Pick<Face, 'view' | 'refusal'>): SessionObserver {
  return {
    getSnapshot: () => view,
    subscribe: () => () => {},
    send: async ({ type }) =>
      refusal === undefined || (refusal.code === 'sign-in-page-failed' && type !== 'show-window')
        ? { ok: true }
        : { ok: false, problem: refusal },
    allowHosts: async () => true,
    report: async () => 'The report of a face in the gallery.',
  };
}
