// Below a problem: who can help, and the technical details, for developers, administrators and support.

import type { Diagnosis } from '../../session/problem.ts';
import type { SignedInProblem } from '../../session/view.ts';
import { type MessageKey, toKeyPart } from '../i18n/text.ts';
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
  if (!detail && !diagnosis && !persists && !report) return null;
  const copy = (key: 'problem_copy' | 'problem_copyDetails', action: string, copied: string) => (
    <CopyButton key={copied} label={text(key)} action={action} read={() => copied} />
  );
  const register = diagnosis?.register;
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
      {diagnosis && <p>{text(toReason(diagnosis))}</p>}
      {register && (
        <>
          <div className="row">
            <p>{text('diagnosis_register')}</p>
            {copy('problem_copy', 'copy-redirect-uri', register)}
          </div>
          <code dir="ltr">{register}</code>
        </>
      )}
      {detail && <code dir="auto">{codeAndDetail}</code>}
      <div className="row">
        {detail && copy('problem_copyDetails', 'copy-detail', codeAndDetail)}
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

/** The key of the sentence. Some causes are always certain, and others never: a test holds those that a sign-in finds. */
function toReason({ cause, certainty }: Diagnosis): MessageKey {
  return `diagnosis_${toKeyPart(cause)}_${certainty}` as MessageKey;
}
