// Shows messages below the rest: a change of status, the result of an action, or a problem beside other content. A screen without a
// user tells a problem itself.

import { useState } from 'react';
import type { Board, SessionObserver } from '../../bridge/session/observer.ts';
import { isOutcome, isPassing, type Problem } from '../../session/problem.ts';
import type { SignedInProblem } from '../../session/view.ts';
import type { Actions, Outcome } from '../hooks/use-actions.ts';
import { gapAfter, toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { providerOf } from '../provider-of.ts';
import { toAdvice, toHappened } from './ProblemAction.tsx';
import { ProblemCard } from './ProblemCard.tsx';

interface NoticeProps {
  readonly board: Board | null;
  readonly problem: SignedInProblem | null;
  /** The outcome of an action in the popup itself, such as copying a report. */
  readonly outcome: Outcome | null;
  readonly observer: SessionObserver;
  readonly send: Actions['send'];
}

export function Notice({ board, problem, outcome, observer, send }: NoticeProps) {
  const text = useText();
  const session = board?.session ?? null;
  const isOwnScreen = session === null || session.status === 'signed-out';
  const line = board && problem && toLine(text, problem, board);
  // A screen reader announces it at once. An outcome isn't an error, and a problem during a sign-in doesn't stop the user.
  const isAlert =
    problem !== null && line === null && session?.status === 'signed-in' && !isOutcome(problem.code);
  const card = problem !== null && line === null && !isOwnScreen && (
    <ProblemCard
      key={problem.code}
      problem={problem}
      isAlert={isAlert}
      isRefusal={outcome?.type === 'refused'}
      signedIn={session.status === 'signed-in' ? session : null}
      observer={observer}
      send={send}
    />
  );
  const note = outcome && toNote(text, outcome);
  // The screen shows it. Only what changes in a region that is already there is sure to be read aloud.
  const told = isOwnScreen && problem !== null && isOutcome(problem.code) ? toTold(text, problem) : null;
  const isEmpty = note === null && (problem === null || isAlert || isOwnScreen);
  // An announcement that a message has replaced does not come back, because it would be read aloud again.
  const announcement = session && text(`announcement_${toKeyPart(session.status)}`);
  const [replaced, setReplaced] = useState<string | null>(null);
  const nextReplaced = isEmpty && told === null && replaced !== announcement ? null : announcement;
  if (replaced !== nextReplaced) setReplaced(nextReplaced);
  return (
    <>
      {/* Every screen has it, because screen readers announce only changes inside an existing region. */}
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output is the result of a form
        role="status"
        aria-atomic="false"
        className={isEmpty ? 'visually-hidden' : 'notice'}
        data-problem={isAlert || isOwnScreen ? undefined : problem?.code}
      >
        {nextReplaced === null && announcement}
        {told}
        {line !== null && <p className="quiet">{line}</p>}
        {!isAlert && card}
        {note !== null && <p className="card">{note}</p>}
      </div>
      {isAlert && (
        <div key={problem.code} className="notice alert" data-problem={problem.code}>
          {card}
        </div>
      )}
    </>
  );
}

function toTold(text: Text, problem: Problem): string {
  const happened = toHappened(text, problem);
  return happened + gapAfter(happened) + toAdvice(text, problem);
}

/** The line for a temporary problem: the user has nothing to do, and stays signed in. Null for any other problem, or after a day. */
function toLine(
  text: Text,
  { code, window, failingSinceMs }: SignedInProblem,
  { session, providers }: Board,
): string | null {
  if (session.status !== 'signed-in' || !isPassing(code) || window || failingSinceMs) return null;
  return text(`signedIn_still_${toKeyPart(code)}`, providerOf(providers, session.profile.providerId).name);
}

/** The sentence about an outcome that isn't a problem. */
function toNote(text: Text, outcome: Outcome): string | null {
  switch (outcome.type) {
    case 'refused':
      return null;
    case 'window-missing':
      return text(outcome.reason === 'not-opened' ? 'signingIn_windowNotOpened' : 'signingIn_windowNotFound');
    case 'report':
      return text(`report_${outcome.result}`);
  }
}
