// The one place for what is to be told: a change of state, a quiet note, or a problem that needs attention.

import { useState } from 'react';
import type { Problem, ProblemCode } from '../../session/problem.ts';
import { text } from '../text.ts';

/** Outcomes rather than faults: the person, or the browser, ended the sign-in. */
const quietCodes: readonly ProblemCode[] = ['cancelled', 'denied', 'interrupted'];

interface NoticeProps {
  readonly problem: Problem | null;
  /** Whether even a fault is only noted, because the person can go on without it. */
  readonly isQuiet: boolean;
  /** Told to assistive tools while there is no quiet note. */
  readonly announcement: string;
  readonly onAllowHosts: () => void;
}

/** The status region is in every screen, because assistive tools announce only what changes in one they know. */
export function Notice({ problem, isQuiet, announcement, onAllowHosts }: NoticeProps) {
  const note = problem !== null && (isQuiet || quietCodes.includes(problem.code)) ? problem : null;
  const alert = note === null ? problem : null;
  return (
    <>
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output is the result of a form
        role="status"
        aria-atomic="false"
        className={note === null ? 'visually-hidden' : 'notice'}
        data-problem={note?.code}
      >
        {note === null ? (
          announcement
        ) : (
          <ProblemText key={note.code} problem={note} onAllowHosts={onAllowHosts} />
        )}
      </div>
      {alert !== null && (
        <div
          key={alert.code}
          role="alert"
          aria-atomic="false"
          className="notice alert"
          data-problem={alert.code}
        >
          <ProblemText problem={alert} onAllowHosts={onAllowHosts} />
        </div>
      )}
    </>
  );
}

interface ProblemTextProps {
  readonly problem: Problem;
  readonly onAllowHosts: () => void;
}

function ProblemText({ problem, onAllowHosts }: ProblemTextProps) {
  const { whatHappened, whatToDo } = text.problems[problem.code];
  return (
    <>
      <p>
        <strong>{whatHappened}</strong> {whatToDo}
      </p>
      {problem.code === 'host-permission-missing' && (
        <button type="button" data-action="allow-hosts" onClick={onAllowHosts}>
          {text.problem.allowHosts}
        </button>
      )}
      {problem.detail !== null && <Details detail={`${problem.code}: ${problem.detail}`} />}
    </>
  );
}

function Details({ detail }: { readonly detail: string }) {
  const [copyLabel, setCopyLabel] = useState(text.problem.copy);
  const copy = () =>
    navigator.clipboard.writeText(detail).then(
      () => setCopyLabel(text.problem.copied),
      () => setCopyLabel(text.problem.copyFailed),
    );
  return (
    <details>
      <summary>{text.problem.details}</summary>
      <code dir="auto">{detail}</code>
      <button type="button" className="plain" onClick={copy}>
        {copyLabel}
      </button>
    </details>
  );
}
