// Shows messages in one place: a change of status, the result of an action, or a problem.

import { useState } from 'react';
import type { BoardView, SessionObserver } from '../../bridge/session/observer.ts';
import type { Command } from '../../session/commands.ts';
import {
  isOutcome,
  isPassing,
  mayHelpToRetry,
  type PassingCode,
  type ProblemCode,
} from '../../session/problem.ts';
import type { SignedIn, SignedInProblem } from '../../session/session.ts';
import type { Outcome } from '../hooks/use-actions.ts';
import { gapAfter, toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../i18n/use-text.ts';
import { toDisplayName } from '../person.ts';
import { providerOf } from '../provider-of.ts';
import { StatusRegion } from '../views/regions.tsx';
import { Contact, type ContactReason } from './Contact.tsx';
import { CopyButton } from './CopyButton.tsx';
import { ProblemDetails } from './ProblemDetails.tsx';

/** The problems whose advice may not be enough. */
const contacts: Partial<Readonly<Record<ProblemCode, ContactReason>>> = {
  denied: 'persists',
  'provider-unreachable': 'persists',
  'provider-misconfigured': 'now',
  'sign-in-page-failed': 'persists',
  'response-rejected': 'persists',
  'not-permitted': 'access',
  unexpected: 'persists',
};

interface NoticeProps {
  readonly view: BoardView;
  readonly problem: SignedInProblem | null;
  /** The outcome of an action in the popup itself, such as copying a report. */
  readonly outcome: Outcome | null;
  readonly observer: SessionObserver;
  readonly onCommand: (command: Command) => void;
}

export function Notice({ view, problem, outcome, observer, onCommand }: NoticeProps) {
  const text = useText();
  const session = view.status === 'ready' ? view.board.session : null;
  const notice = problem && toNoticeView(problem, view);
  const alert = notice?.severity === 'alert' ? notice.problem : null;
  const status = notice?.severity === 'alert' ? null : notice;
  const note = outcome && toNote(text, outcome);
  const isEmpty = status === null && note === null;
  // An announcement that a message has replaced does not come back, because it would be read aloud again.
  const announcement = session && text(`announcement_${toKeyPart(session.status)}`);
  const [replaced, setReplaced] = useState<string | null>(null);
  const nextReplaced = isEmpty && replaced !== announcement ? null : announcement;
  if (replaced !== nextReplaced) setReplaced(nextReplaced);
  const others = { signedIn: session?.status === 'signed-in' ? session : null, observer, onCommand };
  return (
    <>
      <StatusRegion
        isEmpty={isEmpty}
        problemCode={status?.severity === 'inline' ? status.code : status?.problem.code}
      >
        {nextReplaced === null && announcement}
        {status?.severity === 'inline' && (
          <p className="inline">{text(`signedIn_still_${toKeyPart(status.code)}`, status.provider)}</p>
        )}
        {status?.severity === 'note' && (
          <ProblemCard key={status.problem.code} problem={status.problem} isAlert={false} {...others} />
        )}
        {note !== null && <p className="card">{note}</p>}
      </StatusRegion>
      {alert !== null && (
        <div key={alert.code} className="notice alert" data-problem={alert.code}>
          <ProblemCard problem={alert} isAlert {...others} />
        </div>
      )}
    </>
  );
}

type NoticeView =
  /** One line: the problem is temporary, the person has nothing to do, and stays signed in with `provider`. */
  | { readonly severity: 'inline'; readonly code: PassingCode; readonly provider: string }
  /** A card: an outcome rather than an error, or a problem that does not stop the person. */
  | { readonly severity: 'note'; readonly problem: SignedInProblem }
  /** A card that screen readers announce at once. */
  | { readonly severity: 'alert'; readonly problem: SignedInProblem };

function toNoticeView(problem: SignedInProblem, view: BoardView): NoticeView {
  const { code, window } = problem;
  if (view.status === 'ready') {
    const { session, providers } = view.board;
    if (session.status === 'signed-in' && isPassing(code) && !window) {
      const provider = providerOf(providers, session.profile.providerId).name;
      return { severity: 'inline', code, provider };
    }
    if (session.status === 'signing-in') return { severity: 'note', problem };
  }
  return { severity: isOutcome(code) ? 'note' : 'alert', problem };
}

/** The sentence about an outcome that is no problem. */
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

interface ProblemCardProps extends Pick<NoticeProps, 'observer' | 'onCommand'> {
  readonly problem: SignedInProblem;
  readonly isAlert: boolean;
  readonly signedIn: SignedIn | null;
}

function ProblemCard({ problem, isAlert, signedIn, observer, onCommand }: ProblemCardProps) {
  const text = useText();
  const code = toKeyPart(problem.code);
  const happened = text(`problem_${code}_what_happened`, text('extensionName'));
  const gap = gapAfter(happened);
  const contact = contacts[problem.code];
  // A sign-in that the person cancelled need not be tried again.
  const failed = signedIn && problem.code !== 'cancelled' && problem.request;
  // The account menu offers it as well.
  const readReport = isAlert && signedIn === null ? observer.report : null;
  const offersReport = readReport !== null && !mayHelpToRetry(problem.code);
  return (
    <div className="card">
      {/* The words alone: a screen reader would read the names of buttons in an alert with it. */}
      <p role={isAlert ? 'alert' : undefined}>
        <strong>{happened}</strong>
        {gap + text(`problem_${code}_what_to_do`)}
        {contact && gap}
        {contact && <Contact reason={contact} />}
        {problem.window === 'left-open' && gap + text('problem_windowLeftOpen')}
        {failed &&
          gap + text('signedIn_stillAs', toDisplayName(signedIn.profile) ?? signedIn.profile.subject)}
      </p>
      {failed && (
        <button type="button" data-action="try-again" onClick={() => onCommand(failed)}>
          {text('tryAgain')}
        </button>
      )}
      {offersReport && (
        <CopyButton
          label={text('report_copy')}
          failed={text('report_failed')}
          action="copy-report"
          look="primary"
          read={readReport}
        />
      )}
      {problem.code === 'host-permission-missing' && (
        <button type="button" data-action="allow-hosts" onClick={() => void observer.allowHosts()}>
          {text('problem_allowHosts')}
        </button>
      )}
      <ProblemDetails problem={problem} readReport={offersReport ? null : readReport} />
    </div>
  );
}
