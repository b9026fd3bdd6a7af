// Decides how the popup shows a problem: as an alert, as a note, or inline.

import type { Problem, ProblemCode } from '../session/problem.ts';
import { inlineCodes, type InlineCode } from './i18n/text.ts';

export type NoticeView =
  /** One line: the problem is temporary, the person has nothing to do, and stays signed in with `provider`. */
  | { readonly severity: 'inline'; readonly code: InlineCode; readonly provider: string }
  /** A card: an outcome rather than an error, or a problem that does not stop the person. */
  | { readonly severity: 'note'; readonly problem: Problem }
  /** A card that screen readers announce at once. */
  | { readonly severity: 'alert'; readonly problem: Problem };

/** A person, the browser or the provider ended the sign-in or the session; nothing is broken. */
const outcomes: readonly ProblemCode[] = ['cancelled', 'denied', 'interrupted', 'expired'];

/** The view of `problem`. `signedInWith` is the provider's name while a person is signed in, else null. */
export function toNoticeView(
  problem: Problem,
  isSigningIn: boolean,
  signedInWith: string | null,
): NoticeView {
  const { code, window } = problem;
  if (signedInWith !== null && isInline(code) && !window)
    return { severity: 'inline', code, provider: signedInWith };
  return { severity: isSigningIn || outcomes.includes(code) ? 'note' : 'alert', problem };
}

function isInline(code: ProblemCode): code is InlineCode {
  const codes: readonly ProblemCode[] = inlineCodes;
  return codes.includes(code);
}
