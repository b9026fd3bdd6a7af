// Shows messages below the rest: a change of status, the result of an action, or a problem next to other content. A screen without
// a user shows a problem itself.

import { useState } from 'react';
import { providerOf, type Board } from '../../bridge/session/board.ts';
import type { Command } from '../../session/commands.ts';
import { isOutcome, isPassing, type Problem } from '../../session/problem.ts';
import type { SignedIn, SignedInProblem } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { problemTable } from '../problem-table.ts';
import { toDisplayName } from '../user.ts';
import { ProblemAction, ProblemDetails, toAdvice, toHappened, toSignIn, withContact } from './Problem.tsx';

interface NoticeProps {
  readonly board: Board | null;
  readonly problem: SignedInProblem | null;
  readonly actions: Actions;
}

export function Notice({ board, problem, actions }: NoticeProps) {
  const text = useText();
  const { outcome } = actions;
  const session = board?.session ?? null;
  const isOwnScreen = session === null || session.status === 'signed-out';
  const line = board && problem && toLine(text, problem, board);
  const carded = line === null && !isOwnScreen ? problem : null;
  // A screen reader announces it at once. An outcome isn't an error, and a problem during a sign-in doesn't stop the user.
  const isAlert = carded !== null && session?.status === 'signed-in' && !isOutcome(carded.code);
  const card = carded && (
    <ProblemCard
      key={carded.code}
      problem={carded}
      isAlert={isAlert}
      isRefusal={outcome?.type === 'refused'}
      signedIn={session?.status === 'signed-in' ? session : null}
      actions={actions}
    />
  );
  const note = outcome && outcome.type !== 'refused' ? text(outcome.note) : null;
  // The screen shows it. Only what changes in a region that is already there is sure to be read aloud.
  const told = isOwnScreen && problem !== null && isOutcome(problem.code) ? toTold(text, problem) : null;
  const isEmpty = note === null && (problem === null || isAlert || isOwnScreen);
  // An announcement that a message has replaced doesn't come back, because it would be read aloud again.
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
        <div key={carded.code} className="notice alert" data-problem={carded.code}>
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
function toLine(text: Text, { code, window, failingSinceMs }: SignedInProblem, board: Board): string | null {
  const { session } = board;
  if (session.status !== 'signed-in' || !isPassing(code) || window || failingSinceMs) return null;
  return text(`signedIn_still_${toKeyPart(code)}`, providerOf(board, session.profile.providerId).name);
}

interface ProblemCardProps extends Pick<NoticeProps, 'actions'> {
  readonly problem: SignedInProblem;
  readonly isAlert: boolean;
  /** Whether a command has just been refused with it. It then says nothing of the session. */
  readonly isRefusal: boolean;
  readonly signedIn: SignedIn | null;
}

/** Says what happened, what it means for a user who is signed in or signs in, and the one thing to do. */
function ProblemCard({ problem, isAlert, isRefusal, signedIn, actions }: ProblemCardProps) {
  const text = useText();
  const row = problemTable[problem.code];
  const isOfSession = signedIn !== null && !isRefusal && problem.order === undefined;
  // A session that couldn't be refreshed for a day has one way out.
  const sinceMs = (isOfSession && row.mayNeedSignIn && problem.failingSinceMs) || null;
  const renewal = isOfSession ? row.renewal : undefined;
  const [title, ...sentences] =
    sinceMs !== null
      ? [
          text(
            'signedIn_notRefreshedSince',
            new Intl.DateTimeFormat(text.language, { dateStyle: 'medium' }).format(sinceMs),
          ),
          text('problem_expired_what_to_do'),
        ]
      : [
          ...(renewal ? [text('signedIn_notRefreshed'), text('signedIn_still')] : []),
          ...(renewal === 'advice' ? [] : [toHappened(text, problem)]),
          toAdvice(text, problem),
        ];
  const failed = problem.code === 'cancelled' ? undefined : problem.order;
  const gap = gapAfter(title);
  const account = signedIn?.profile;
  // Opening renews the session. A sign-in that the user canceled, or what ended otherwise, need not be tried again.
  const renew = renewal && ({ type: 'open' } as const);
  const again = failed ?? (account && sinceMs !== null ? toSignIn(account.providerId, account) : renew);
  const another: Command = failed?.type === 'use-another-account' ? failed : { type: 'use-another-account' };
  return (
    <div className="card">
      {/* The words alone: a screen reader would read the names of buttons in an alert with it. */}
      <p role={isAlert ? 'alert' : undefined}>
        <strong>{title}</strong>
        {gap}
        {withContact(sentences.join(gap), sinceMs === null ? row.contact : undefined)}
        {failed && account && gap + text('signedIn_stillAs', toDisplayName(account) ?? account.subject)}
      </p>
      <ProblemAction
        action={sinceMs === null ? row.action : 'retry'}
        again={again}
        againText={text(sinceMs === null ? 'tryAgain' : 'signedIn_signInAgain')}
        another={account && another}
        look="outlined"
        actions={actions}
      />
      <ProblemDetails problem={problem} />
    </div>
  );
}
