// Shows messages in one place: a change of status, the result of an action, or a problem.

import { useState } from 'react';
import { mayHelpToRetry, type Problem } from '../../session/problem.ts';
import type { NoticeView } from '../notice-view.ts';
import { gapAfter } from '../i18n/gap-after.ts';
import { useText } from '../i18n/use-text.ts';
import { StatusRegion } from '../views/StatusRegion.tsx';
import { Contact } from './Contact.tsx';
import { CopyButton } from './CopyButton.tsx';
import { ProblemDetails } from './ProblemDetails.tsx';

interface NoticeProps {
  readonly notice: NoticeView | null;
  /** The result of an action in the popup itself, such as copying a report. */
  readonly outcome: string | null;
  /** Announced by screen readers when it changes, if there is nothing else in the status region. */
  readonly announcement: string;
  readonly onAllowHosts: () => void;
  /** The person who is still signed in after a failed sign-in, and what tries it again; null after any other problem. */
  readonly failedSignIn: { readonly person: string; readonly onTryAgain: () => void } | null;
  /** Null if the screen offers a report elsewhere. */
  readonly readReport: (() => Promise<string>) | null;
}

export function Notice({ notice, outcome, announcement, ...actions }: NoticeProps) {
  const text = useText();
  const alert = notice?.severity === 'alert' ? notice.problem : null;
  const status = notice?.severity === 'alert' ? null : notice;
  const isEmpty = status === null && outcome === null;
  // An announcement that a message has replaced does not come back, because it would be read aloud again.
  const [replaced, setReplaced] = useState<string | null>(null);
  const nextReplaced = isEmpty && replaced !== announcement ? null : announcement;
  if (replaced !== nextReplaced) setReplaced(nextReplaced);
  return (
    <>
      <StatusRegion isEmpty={isEmpty} problemCode={toShownCode(status)}>
        {nextReplaced === null && announcement}
        {status?.severity === 'inline' && (
          <p className="inline">{text.signedIn.still(status.code, status.provider)}</p>
        )}
        {status?.severity === 'note' && (
          <ProblemCard key={status.problem.code} problem={status.problem} {...actions} readReport={null} />
        )}
        {outcome !== null && <p className="card">{outcome}</p>}
      </StatusRegion>
      {alert !== null && (
        <div key={alert.code} className="notice alert" data-problem={alert.code}>
          <ProblemCard problem={alert} role="alert" {...actions} />
        </div>
      )}
    </>
  );
}

function toShownCode(status: Exclude<NoticeView, { severity: 'alert' }> | null): string | undefined {
  return status?.severity === 'inline' ? status.code : status?.problem.code;
}

interface ProblemCardProps extends Pick<NoticeProps, 'onAllowHosts' | 'failedSignIn' | 'readReport'> {
  readonly problem: Problem;
  /** Of the words alone: a screen reader would read the names of buttons in an alert with it. */
  readonly role?: 'alert';
}

function ProblemCard({ problem, role, onAllowHosts, failedSignIn, readReport }: ProblemCardProps) {
  const text = useText();
  const happened = text.problem.whatHappened(problem.code);
  const toDo = text.problem.whatToDo(problem.code);
  const contact = text.problem.contact(problem.code);
  const offersReport = readReport !== null && !mayHelpToRetry(problem.code);
  return (
    <div className="card">
      <p role={role}>
        <strong>{happened}</strong>
        {gapAfter(happened) + toDo}
        {contact !== null && gapAfter(toDo)}
        {contact !== null && <Contact sentence={contact} />}
        {problem.window === 'left-open' && gapAfter(contact ?? toDo) + text.problem.windowLeftOpen}
        {failedSignIn && gapAfter(contact ?? toDo) + text.signedIn.stillAs(failedSignIn.person)}
      </p>
      {failedSignIn && (
        <button type="button" data-action="try-again" onClick={failedSignIn.onTryAgain}>
          {text.signingIn.tryAgain}
        </button>
      )}
      {offersReport && (
        <CopyButton
          label={text.report.copy}
          failed={text.report.failed}
          action="copy-report"
          look="primary"
          read={readReport}
        />
      )}
      {problem.code === 'host-permission-missing' && (
        <button type="button" data-action="allow-hosts" onClick={onAllowHosts}>
          {text.problem.allowHosts}
        </button>
      )}
      <ProblemDetails problem={problem} readReport={offersReport ? null : readReport} />
    </div>
  );
}
