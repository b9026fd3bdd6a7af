// The one place for what is to be told: a change of state, a quiet note, or a problem that needs attention.

import type { Problem } from '../../session/problem.ts';
import type { NoticeView } from '../notice-view.ts';
import { useText } from '../i18n/use-text.ts';
import { ProblemDetails } from './ProblemDetails.tsx';

interface NoticeProps {
  readonly notice: NoticeView | null;
  /** What came of something that the person did in the popup itself. */
  readonly outcome: string | null;
  /** Told to assistive tools while nothing else is. */
  readonly announcement: string;
  readonly onAllowHosts: () => void;
  /** Null where a report is offered elsewhere. */
  readonly readReport: (() => Promise<string>) | null;
}

/** The status region is in every screen, because assistive tools announce only what changes in one they know. */
export function Notice({ notice, outcome, announcement, ...actions }: NoticeProps) {
  const text = useText();
  const alert = notice?.severity === 'alert' ? notice.problem : null;
  const quiet = notice?.severity === 'alert' ? null : notice;
  const isStill = quiet === null && outcome === null;
  return (
    <>
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output is the result of a form
        role="status"
        aria-atomic="false"
        className={isStill ? 'visually-hidden' : 'news'}
        data-problem={
          quiet === null ? undefined : quiet.severity === 'inline' ? quiet.code : quiet.problem.code
        }
      >
        {isStill && announcement}
        {quiet?.severity === 'inline' && (
          <p className="inline">{text.signedIn.still(quiet.code, quiet.provider)}</p>
        )}
        {quiet?.severity === 'note' && (
          <ProblemCard key={quiet.problem.code} problem={quiet.problem} {...actions} readReport={null} />
        )}
        {outcome !== null && <p className="card">{outcome}</p>}
      </div>
      {alert !== null && (
        <div
          key={alert.code}
          role="alert"
          aria-atomic="false"
          className="news alert"
          data-problem={alert.code}
        >
          <ProblemCard problem={alert} {...actions} />
        </div>
      )}
    </>
  );
}

interface ProblemCardProps extends Pick<NoticeProps, 'onAllowHosts' | 'readReport'> {
  readonly problem: Problem;
}

function ProblemCard({ problem, onAllowHosts, readReport }: ProblemCardProps) {
  const text = useText();
  return (
    <div className="card">
      <p>
        <strong>{text.problem.whatHappened(problem.code)}</strong> {text.problem.whatToDo(problem.code)}
      </p>
      {problem.code === 'host-permission-missing' && (
        <button type="button" data-action="allow-hosts" onClick={onAllowHosts}>
          {text.problem.allowHosts}
        </button>
      )}
      <ProblemDetails problem={problem} readReport={readReport} />
    </div>
  );
}
