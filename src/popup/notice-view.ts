// Decides how the popup shows a problem: as an alert, as a note, or inline.

import { isOutcome, isPassing, type PassingCode, type Problem } from '../session/problem.ts';

export type NoticeView =
  /** One line: the problem is temporary, the person has nothing to do, and stays signed in with `provider`. */
  | { readonly severity: 'inline'; readonly code: PassingCode; readonly provider: string }
  /** A card: an outcome rather than an error, or a problem that does not stop the person. */
  | { readonly severity: 'note'; readonly problem: Problem }
  /** A card that screen readers announce at once. */
  | { readonly severity: 'alert'; readonly problem: Problem };

/** The view of `problem`. `signedInWith` is the provider's name while a person is signed in, else null. */
export function toNoticeView(
  problem: Problem,
  isSigningIn: boolean,
  signedInWith: string | null,
): NoticeView {
  const { code, window } = problem;
  if (signedInWith !== null && isPassing(code) && !window)
    return { severity: 'inline', code, provider: signedInWith };
  return { severity: isSigningIn || isOutcome(code) ? 'note' : 'alert', problem };
}
