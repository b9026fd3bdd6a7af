// The problem of a session that couldn't be refreshed for a day: since when, and the way out.

import type { SignedIn, SignedInProblem } from '../../session/view.ts';
import { toLoginHint } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { problemTable } from '../problem-table.ts';
import { ProblemDetails } from './ProblemDetails.tsx';

interface SignInAgainCardProps {
  readonly problem: SignedInProblem;
  readonly sinceMs: number;
  readonly signedIn: SignedIn;
  readonly isAlert: boolean;
  readonly send: Actions['send'];
}

export function SignInAgainCard({ problem, sinceMs, signedIn, isAlert, send }: SignInAgainCardProps) {
  const text = useText();
  const time = new Intl.DateTimeFormat(text.language, { dateStyle: 'medium' }).format(sinceMs);
  const title = text('signedIn_notRefreshedSince', time);
  const gap = gapAfter(title);
  const { providerId, ...profile } = signedIn.profile;
  const hint = toLoginHint(profile);
  return (
    <div className="card">
      <p role={isAlert ? 'alert' : undefined}>
        <strong>{title}</strong>
        {gap + [text('signedIn_still'), text('problem_expired_what_to_do')].join(gap)}
      </p>
      <button
        type="button"
        data-action="sign-in-again"
        onClick={() => send({ type: 'sign-in', providerId, ...(hint !== undefined && { hint }) })}
      >
        {text('signedIn_signInAgain')}
      </button>
      <ProblemDetails problem={problem} />
    </div>
  );
}

/** Since when a session couldn't be refreshed, if that's a day and a new sign-in may help; otherwise null. */
export function findFailingSinceMs({ code, order, failingSinceMs }: SignedInProblem): number | null {
  const isLasting = order === undefined && problemTable[code].mayNeedSignIn === true;
  return (isLasting && failingSinceMs) || null;
}
