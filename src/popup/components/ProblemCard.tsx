// A problem beside other content, while a user is signed in or signs in: what happened, what it means, and the one thing to do.

import type { SessionObserver } from '../../bridge/session/observer.ts';
import type { Command } from '../../session/commands.ts';
import type { SignedIn, SignedInProblem } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { problemTable } from '../problem-table.ts';
import { toDisplayName } from '../user.ts';
import { ProblemAction, toAdvice, toHappened, toSignIn, withContact } from './ProblemAction.tsx';
import { ProblemDetails } from './ProblemDetails.tsx';

interface ProblemCardProps extends Pick<Actions, 'send'> {
  readonly problem: SignedInProblem;
  readonly isAlert: boolean;
  /** Whether a command has just been refused with it. It then says nothing of the session. */
  readonly isRefusal: boolean;
  readonly signedIn: SignedIn | null;
  readonly observer: SessionObserver;
}

export function ProblemCard({ problem, isAlert, isRefusal, signedIn, observer, send }: ProblemCardProps) {
  const text = useText();
  const { action: usual, renewal, mayNeedSignIn } = problemTable[problem.code];
  const isOfSession = signedIn !== null && !isRefusal && problem.order === undefined;
  // A session that couldn't be refreshed for a day has one way out.
  const sinceMs = (isOfSession && mayNeedSignIn && problem.failingSinceMs) || null;
  const action = sinceMs === null ? usual : 'retry';
  const happened = toHappened(text, problem);
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
          ...(isOfSession && renewal !== undefined
            ? [text('signedIn_notRefreshed'), text('signedIn_still')]
            : []),
          ...(isOfSession && renewal === 'advice' ? [] : [happened]),
          toAdvice(text, problem),
        ];
  const failed = signedIn !== null && problem.code !== 'cancelled' ? problem.order : undefined;
  if (signedIn !== null && failed !== undefined)
    sentences.push(text('signedIn_stillAs', toDisplayName(signedIn.profile) ?? signedIn.profile.subject));
  const gap = gapAfter(title);
  // Opening renews the session. A sign-in that the user cancelled, or what ended otherwise, need not be tried again.
  const renew: Command | null = isOfSession && renewal !== undefined ? { type: 'open' } : null;
  const account = signedIn?.profile;
  const again = failed ?? (account && sinceMs !== null ? toSignIn(account.providerId, account) : renew);
  const another: Command = failed?.type === 'use-another-account' ? failed : { type: 'use-another-account' };
  return (
    <div className="card">
      {/* The words alone: a screen reader would read the names of buttons in an alert with it. */}
      <p role={isAlert ? 'alert' : undefined}>
        <strong>{title}</strong>
        {gap}
        {sinceMs === null ? withContact(sentences.join(gap), problem) : sentences}
      </p>
      <ProblemAction
        action={action}
        again={again}
        againText={text(sinceMs === null ? 'tryAgain' : 'signedIn_signInAgain')}
        another={signedIn && another}
        look="outlined"
        observer={observer}
        send={send}
      />
      <ProblemDetails problem={problem} />
    </div>
  );
}
