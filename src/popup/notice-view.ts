// How a problem is told: as an alert, as a quiet note, or in one calm line.

import type { Problem, ProblemCode } from '../session/problem.ts';
import { inlineCodes, type InlineCode } from './i18n/text.ts';

export type NoticeView =
  /** It passes by itself, and the person stays signed in with that provider. */
  | { readonly severity: 'inline'; readonly code: InlineCode; readonly provider: string }
  /** An outcome rather than a fault, or a fault that the person can go on without. */
  | { readonly severity: 'note'; readonly problem: Problem }
  | { readonly severity: 'alert'; readonly problem: Problem };

/** The person, the browser or the provider has ended something, as they may. */
const outcomes: readonly ProblemCode[] = ['cancelled', 'denied', 'interrupted', 'expired'];

/** `signedInWith` is the provider's name while somebody is signed in, and null while nobody is. */
export function toNoticeView(
  problem: Problem,
  isSigningIn: boolean,
  signedInWith: string | null,
): NoticeView {
  const { code } = problem;
  if (signedInWith !== null && isInline(code)) return { severity: 'inline', code, provider: signedInWith };
  return { severity: isSigningIn || outcomes.includes(code) ? 'note' : 'alert', problem };
}

function isInline(code: ProblemCode): code is InlineCode {
  const calm: readonly ProblemCode[] = inlineCodes;
  return calm.includes(code);
}
