// Below a problem: who can help, and the technical details, for developers, administrators and support.

import type { Diagnosis } from '../../session/problem.ts';
import type { SignedInProblem } from '../../session/view.ts';
import { toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { problemTable } from '../problem-table.ts';
import { Contact } from './Contact.tsx';
import { CopyButton, type Look } from './CopyButton.tsx';

interface ProblemDetailsProps {
  readonly problem: SignedInProblem;
  /** Returns a report to copy; missing if it is offered elsewhere. */
  readonly report?: (() => Promise<string>) | undefined;
}

/** A disclosure with the details and their copy buttons; nothing if there is nothing to tell. */
export function ProblemDetails({
  problem: { code, detail, diagnosis, failingSinceMs },
  report,
}: ProblemDetailsProps) {
  const text = useText();
  const persists = problemTable[code].contact === 'persists' || failingSinceMs !== undefined;
  if (detail === null && diagnosis === undefined && !persists && report === undefined) return null;
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
      {persists && (
        <p>
          <Contact reason="persists" />
        </p>
      )}
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
        {report && <ReportButton report={report} />}
      </div>
    </details>
  );
}

interface ReportButtonProps {
  readonly report: () => Promise<string>;
  readonly look?: Look;
}

/** Copies a report. */
export function ReportButton({ report, look }: ReportButtonProps) {
  const text = useText();
  return (
    <CopyButton
      label={text('report_copy')}
      failed={text('report_failed')}
      action="copy-report"
      look={look}
      read={report}
    />
  );
}

/** Some causes have one sentence: a missing page is certain, and others are always guesses. */
function toReason(text: Text, { cause, certainty }: Diagnosis): string {
  switch (cause) {
    case 'platform':
    case 'page-missing':
      return text(`diagnosis_${toKeyPart(cause)}_known`);
    case 'page-hidden':
      return text('diagnosis_page_hidden_guess');
    case 'network':
      return text('diagnosis_network_guess');
    default:
      return text(`diagnosis_${toKeyPart(cause)}_${certainty}`);
  }
}
