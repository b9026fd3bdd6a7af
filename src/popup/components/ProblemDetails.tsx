// The technical details of a problem, for developers, administrators and support: in a disclosure, with copy buttons.

import type { Problem } from '../../session/problem.ts';
import { toKeyPart } from '../i18n/text.ts';
import { useText } from '../i18n/use-text.ts';
import { CopyButton } from './CopyButton.tsx';

interface ProblemDetailsProps {
  readonly problem: Problem;
  /** Null if the screen offers a report elsewhere. */
  readonly readReport: (() => Promise<string>) | null;
}

export function ProblemDetails({ problem, readReport }: ProblemDetailsProps) {
  const text = useText();
  const { code, detail, diagnosis = null } = problem;
  if (detail === null && diagnosis === null && readReport === null) return null;

  const register = diagnosis?.register ?? null;
  const codeAndDetail = `${code}: ${detail}`;
  return (
    // Open in development builds, where the reader is the developer who fixes it. Its buttons speak for themselves.
    <details open={import.meta.env.DEV} aria-live="off">
      <summary>{text('problem_details')}</summary>
      {diagnosis !== null && <p>{text(`diagnosis_${toKeyPart(diagnosis.cause)}_${diagnosis.certainty}`)}</p>}
      {register !== null && (
        <>
          <div className="row">
            <p>{text('diagnosis_register')}</p>
            <CopyButton
              key={register}
              label={text('problem_copy')}
              failed={text('problem_copyFailed')}
              action="copy-redirect-uri"
              read={() => register}
            />
          </div>
          <code dir="ltr">{register}</code>
        </>
      )}
      {detail !== null && <code dir="auto">{codeAndDetail}</code>}
      <div className="row">
        {detail !== null && (
          <CopyButton
            key={codeAndDetail}
            label={text('problem_copyDetails')}
            failed={text('problem_copyFailed')}
            action="copy-detail"
            read={() => codeAndDetail}
          />
        )}
        {readReport !== null && (
          <CopyButton
            label={text('report_copy')}
            failed={text('report_failed')}
            action="copy-report"
            read={readReport}
          />
        )}
      </div>
    </details>
  );
}
