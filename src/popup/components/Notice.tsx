// Shows messages in one place: a change of status, the result of an action, or a problem.

import { useState } from 'react';
import { mayHelpToRetry, type Problem, type ProblemCode } from '../../session/problem.ts';
import type { NoticeView } from '../notice-view.ts';
import { gapAfter, toKeyPart } from '../i18n/text.ts';
import { useText } from '../i18n/use-text.ts';
import { StatusRegion } from '../views/StatusRegion.tsx';
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
          <p className="inline">{text(`signedIn_still_${toKeyPart(status.code)}`, status.provider)}</p>
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
  const code = toKeyPart(problem.code);
  const happened = text(`problem_${code}_what_happened`, text('extensionName'));
  const gap = gapAfter(happened);
  const contact = contacts[problem.code];
  const offersReport = readReport !== null && !mayHelpToRetry(problem.code);
  return (
    <div className="card">
      <p role={role}>
        <strong>{happened}</strong>
        {gap + text(`problem_${code}_what_to_do`)}
        {contact && gap}
        {contact && <Contact reason={contact} />}
        {problem.window === 'left-open' && gap + text('problem_windowLeftOpen')}
        {failedSignIn && gap + text('signedIn_stillAs', failedSignIn.person)}
      </p>
      {failedSignIn && (
        <button type="button" data-action="try-again" onClick={failedSignIn.onTryAgain}>
          {text('signingIn_tryAgain')}
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
        <button type="button" data-action="allow-hosts" onClick={onAllowHosts}>
          {text('problem_allowHosts')}
        </button>
      )}
      <ProblemDetails problem={problem} readReport={offersReport ? null : readReport} />
    </div>
  );
}
