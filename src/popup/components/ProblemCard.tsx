// A problem beside other content, while a user is signed in or signs in: what happened, what it means, and the one thing to do.

import type { SessionObserver } from '../../bridge/session/observer.ts';
import type { Command } from '../../session/commands.ts';
import { toLoginHint, type AccountHint, type SignedIn, type SignedInProblem } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { problemTable } from '../problem-table.ts';
import { toDisplayName } from '../user.ts';
import { Contact } from './Contact.tsx';
import { ProblemDetails, ReportButton } from './ProblemDetails.tsx';

interface ProblemCardProps {
  readonly problem: SignedInProblem;
  readonly isAlert: boolean;
  /** Whether a command has just been refused with it. It then says nothing of the session. */
  readonly isRefusal: boolean;
  readonly signedIn: SignedIn | null;
  readonly observer: SessionObserver;
  readonly send: Actions['send'];
}

export function ProblemCard({ problem, isAlert, isRefusal, signedIn, observer, send }: ProblemCardProps) {
  const text = useText();
  const { action: usual, contact, renewal, mayNeedSignIn } = problemTable[problem.code];
  const isOfSession = signedIn !== null && !isRefusal && problem.order === undefined;
  // A session that couldn't be refreshed for a day has one way out.
  const sinceMs = (isOfSession && mayNeedSignIn && problem.failingSinceMs) || null;
  const action = sinceMs === null ? usual : 'retry';
  const happened = toHappened(text, problem);
  const [title, ...sentences] =
    isOfSession && renewal !== undefined
      ? [
          sinceMs === null
            ? text('signedIn_notRefreshed')
            : text(
                'signedIn_notRefreshedSince',
                new Intl.DateTimeFormat(text.language, { dateStyle: 'medium' }).format(sinceMs),
              ),
          text('signedIn_still'),
          ...(renewal === 'cause' ? [happened] : []),
          sinceMs === null ? toAdvice(text, problem) : text('problem_expired_what_to_do'),
        ]
      : [happened, toAdvice(text, problem)];
  const failed = signedIn !== null && problem.code !== 'cancelled' ? problem.order : undefined;
  if (signedIn !== null && failed !== undefined)
    sentences.push(text('signedIn_stillAs', toDisplayName(signedIn.profile) ?? signedIn.profile.subject));
  const gap = gapAfter(title);
  // Opening renews the session. A sign-in that the user cancelled, or what ended otherwise, need not be tried again.
  const renew: Command | null = isOfSession && renewal !== undefined ? { type: 'open' } : null;
  const account = signedIn?.profile;
  const again = failed ?? (account && sinceMs !== null ? toSignIn(account.providerId, account) : renew);
  return (
    <div className="card">
      {/* The words alone: a screen reader would read the names of buttons in an alert with it. */}
      <p role={isAlert ? 'alert' : undefined}>
        <strong>{title}</strong>
        {gap + sentences.join(gap)}
        {contact && contact !== 'persists' && (
          <>
            {gap}
            <Contact reason={contact} />
          </>
        )}
      </p>
      {action === 'retry' && again && (
        <button type="button" data-action="try-again" onClick={() => send(again)}>
          {text(sinceMs === null ? 'tryAgain' : 'signedIn_signInAgain')}
        </button>
      )}
      {action === 'another-account' && signedIn && (
        <button
          type="button"
          data-action="use-another-account"
          onClick={() =>
            send(failed?.type === 'use-another-account' ? failed : { type: 'use-another-account' })
          }
        >
          {text('signedOut_anotherAccount')}
        </button>
      )}
      {action === 'allow' && (
        <button
          type="button"
          data-action="allow-hosts"
          onClick={() => void observer.allowHosts().then((isAllowed) => isAllowed && again && send(again))}
        >
          {text('problem_allowHosts')}
        </button>
      )}
      {action === 'report' && <ReportButton report={observer.report} look="outlined" />}
      <ProblemDetails problem={problem} />
    </div>
  );
}

/** The command that signs in at a provider, with this account if there is one. */
export function toSignIn(providerId: string, account: AccountHint | null): Command {
  const hint = account === null ? undefined : toLoginHint(account);
  return { type: 'sign-in', providerId, ...(hint !== undefined && { hint }) };
}

/** The sentence that says what happened. */
export function toHappened(text: Text, { code }: SignedInProblem): string {
  return text(`problem_${toKeyPart(code)}_what_happened`, text('extensionName'));
}

/** The sentences that say what to do. */
export function toAdvice(text: Text, { code, window }: SignedInProblem): string {
  const advice = text(`problem_${toKeyPart(code)}_what_to_do`);
  if (window === undefined) return advice;
  const end = window === 'left-open' ? 'problem_windowLeftOpen' : 'problem_windowClosed';
  return advice + gapAfter(advice) + text(end);
}
