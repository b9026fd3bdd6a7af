// A problem: the sentences that say what happened and what to do, and the technical details, for developers,
// administrators and support.

import type { ReactNode } from 'react';
import type { SessionObserver } from '../../bridge/session/observer.ts';
import { mayHelpToRetry, type Diagnosis, type Problem, type ProblemCode } from '../../session/problem.ts';
import type { SignedIn, SignedInProblem } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { toDisplayName } from '../user.ts';
import { Contact, type ContactReason } from './Contact.tsx';
import { CopyButton } from './CopyButton.tsx';

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

interface ProblemCardProps {
  readonly problem: SignedInProblem;
  readonly isAlert: boolean;
  readonly signedIn: SignedIn | null;
  readonly observer: SessionObserver;
  readonly send: Actions['send'];
}

export function ProblemCard({ problem, isAlert, signedIn, observer, send }: ProblemCardProps) {
  const text = useText();
  const code = toKeyPart(problem.code);
  const happened = text(`problem_${code}_what_happened`, text('extensionName'));
  const gap = gapAfter(happened);
  const contact = contacts[problem.code];
  // A sign-in that the user cancelled need not be tried again.
  const failed = signedIn && problem.code !== 'cancelled' && problem.order;
  // The account menu offers it as well.
  const offersReport = isAlert && signedIn === null;
  const report = (look: 'plain' | 'primary') => (
    <CopyButton
      label={text('report_copy')}
      failed={text('report_failed')}
      action="copy-report"
      look={look}
      read={observer.report}
    />
  );
  const isReportFirst = offersReport && !mayHelpToRetry(problem.code);
  return (
    <div className="card">
      {/* The words alone: a screen reader would read the names of buttons in an alert with it. */}
      <p role={isAlert ? 'alert' : undefined}>
        <strong>{happened}</strong>
        {gap + text(`problem_${code}_what_to_do`)}
        {contact && gap}
        {contact && <Contact reason={contact} />}
        {problem.window === 'left-open' && gap + text('problem_windowLeftOpen')}
        {problem.window === 'closed-by-browser' && gap + text('problem_windowClosed')}
        {failed &&
          gap + text('signedIn_stillAs', toDisplayName(signedIn.profile) ?? signedIn.profile.subject)}
      </p>
      {failed && (
        <button type="button" data-action="try-again" onClick={() => send(failed)}>
          {text('tryAgain')}
        </button>
      )}
      {isReportFirst && report('primary')}
      {problem.code === 'host-permission-missing' && (
        <button type="button" data-action="allow-hosts" onClick={() => void observer.allowHosts()}>
          {text('problem_allowHosts')}
        </button>
      )}
      <Details problem={problem}>{offersReport && !isReportFirst && report('plain')}</Details>
    </div>
  );
}

interface DetailsProps {
  readonly problem: Problem;
  /** The button that copies a report; false if there is none here. */
  readonly children: ReactNode;
}

/** The technical details: in a disclosure, with copy buttons. */
function Details({ problem: { code, detail, diagnosis }, children }: DetailsProps) {
  const text = useText();
  if (detail === null && diagnosis === undefined && children === false) return null;
  const copy = (key: 'problem_copy' | 'problem_copyDetails', action: string, copied: string) => (
    <CopyButton
      key={copied}
      label={text(key)}
      failed={text('problem_copyFailed')}
      action={action}
      read={() => copied}
    />
  );
  const register = diagnosis?.register ?? null;
  const codeAndDetail = `${code}: ${detail}`;
  return (
    // Open in development builds, where the reader is the developer who fixes it. Its buttons speak for themselves.
    <details open={import.meta.env.DEV} aria-live="off">
      <summary>{text('problem_details')}</summary>
      {diagnosis && <p>{toReason(text, diagnosis)}</p>}
      {register !== null && (
        <>
          <div className="row">
            <p>{text('diagnosis_register')}</p>
            {copy('problem_copy', 'copy-redirect-uri', register)}
          </div>
          <code dir="ltr">{register}</code>
        </>
      )}
      {detail !== null && <code dir="auto">{codeAndDetail}</code>}
      <div className="row">
        {detail !== null && copy('problem_copyDetails', 'copy-detail', codeAndDetail)}
        {children}
      </div>
    </details>
  );
}

/** Some causes have one sentence: a missing page is certain, and others are always guesses. */
function toReason(text: Text, { cause, certainty }: Diagnosis): string {
  switch (cause) {
    case 'page-missing':
      return text('diagnosis_page_missing_known');
    case 'page-hidden':
      return text('diagnosis_page_hidden_guess');
    case 'network':
      return text('diagnosis_network_guess');
    default:
      return text(`diagnosis_${toKeyPart(cause)}_${certainty}`);
  }
}
