// The user's actions in the popup, and the outcome of the last one for as long as it's true.

import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { BoardView, SessionObserver } from '../../bridge/session/observer.ts';
import type { Command, Reply } from '../../session/commands.ts';
import type { Problem } from '../../session/problem.ts';
import { copyText, onClipboardChange, type CopyResult } from '../clipboard.ts';

export type Outcome =
  | { readonly type: 'refused'; readonly problem: Problem }
  | {
      readonly type: 'window-missing';
      readonly note: 'signingIn_windowNotOpened' | 'signingIn_windowNotFound';
      readonly pauseMs: number;
    }
  | { readonly type: 'report'; readonly note: `report_${CopyResult}` };

export type Actions = ReturnType<typeof useActions>;

/** How long to wait before asking for a missing window once more. Each wait after that is twice as long. */
const firstPauseMs = 1_000;

export function useActions(observer: SessionObserver, view: BoardView) {
  const [last, setLast] = useState<{ readonly outcome: Outcome; readonly cause: string } | null>(null);
  const newest = useRef(0);
  const pressed = useRef<Element | null>(null);
  const cause = toCause(view);
  // Removed, not only hidden: the board may return to the same state.
  if (last !== null && last.cause !== cause) setLast(null);
  const outcome = last?.outcome ?? null;

  const readCause = () => toCause(observer.getSnapshot());

  /** Begins an action, which ends the one before. */
  const begin = () => {
    setLast(null);
    newest.current += 1;
    return newest.current;
  };

  const show = (action: number, next: Outcome | null) => {
    if (action === newest.current) setLast(next && { outcome: next, cause: readCause() });
  };

  /** Sends it. The button that has been pressed is busy until the worker replies. */
  const sendBusily = async (command: Command): Promise<Reply> => {
    const button = pressed.current;
    pressed.current = null;
    button?.setAttribute('aria-busy', 'true');
    const reply = await observer.send(command);
    button?.removeAttribute('aria-busy');
    return reply;
  };

  const showRefusal = async (command: Command) => {
    const action = begin();
    const result = await sendBusily(command);
    if (!result.ok) show(action, { type: 'refused', problem: result.problem });
  };

  const showWindow = async (action: number, pauseMs: number) => {
    const before = readCause();
    const reply = await sendBusily({ type: 'show-window' });
    // The sign-in has ended in the meantime, so its window isn't needed.
    if (readCause() === before) show(action, reply.ok ? null : toWindowOutcome(reply.problem, pauseMs));
  };

  const askAgain = useEffectEvent((pauseMs: number) => void showWindow(newest.current, pauseMs));
  const drop = useEffectEvent(() => void begin());
  useEffect(() => {
    if (outcome?.type === 'report') return onClipboardChange(drop);
    if (outcome?.type !== 'window-missing') return undefined;
    const timer = setTimeout(() => askAgain(2 * outcome.pauseMs), outcome.pauseMs);
    // The window has come to the front, or the user looks for it.
    const onBlur = () => drop();
    window.addEventListener('blur', onBlur);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('blur', onBlur);
    };
  }, [outcome]);

  return {
    observer,
    /** For the element around all buttons. */
    onClickCapture: ({ target }: SyntheticEvent) => {
      pressed.current = (target as Element).closest('button');
    },
    /** The outcome of the last action. Null if it went well, and once the board's status or problem has changed. */
    outcome,
    send: (command: Command) =>
      void (command.type === 'show-window' ? showWindow(begin(), firstPauseMs) : showRefusal(command)),
    copyReport: () => {
      const action = begin();
      void copyText(observer.report).then((result) =>
        show(action, { type: 'report', note: `report_${result}` }),
      );
    },
  };
}

/** The outcome when the worker can't show the window: it knows none, or none that it can prove to be this sign-in's. */
function toWindowOutcome(problem: Problem, pauseMs: number): Outcome {
  if (problem.code !== 'sign-in-page-failed') return { type: 'refused', problem };
  const note = problem.window === 'left-open' ? 'signingIn_windowNotFound' : 'signingIn_windowNotOpened';
  return { type: 'window-missing', note, pauseMs };
}

/** Equal for two views if an outcome that was shown with one is still true for the other. */
function toCause(view: BoardView): string {
  if (view.status === 'starting') return view.status;
  const { session } = view.board;
  return JSON.stringify([
    session.status,
    session.status === 'signing-in' ? session.attempt : session.problem,
  ]);
}
