// Wakes the worker when the user is about to sign in or out: it takes about as long to start as a mouse button is held down.
// It also saves a command from a popup that closes right after the click: Firefox loses it if the worker still has to start.

import { type SyntheticEvent, useRef } from 'react';
import type { SessionObserver } from '../../bridge/session/observer.ts';

/** Long enough for one message to each click, and far shorter than a browser lets an idle worker run. */
const pauseMs = 1_000;

/**
 * Handlers that tell the worker when the pointer or the focus reaches the button of a provider or of the account menu, at
 * most once in a second. A tap on a touchpad is down and up at once, and a keyboard has neither.
 */
export function useEarlyWake(observer: Pick<SessionObserver, 'send'>) {
  const lastAtMs = useRef(-pauseMs);
  const wake = ({ target, timeStamp }: SyntheticEvent) => {
    if (
      !(target as Element).closest('[data-provider], #account-button') ||
      timeStamp - lastAtMs.current < pauseMs
    )
      return;
    lastAtMs.current = timeStamp;
    void observer.send({ type: 'prepare' });
  };
  return { onPointerOver: wake, onPointerDown: wake, onFocus: wake };
}
