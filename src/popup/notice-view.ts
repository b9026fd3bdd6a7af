// How a problem is told: as an alert, as a quiet note, or in one calm line.

import type { Problem, ProblemCode } from '../session/problem.ts';
import { calmCodes, type CalmCode } from './i18n/text.ts';

export type Telling =
  /** It passes by itself, and the person stays signed in with that provider. */
  | { readonly tone: 'calm'; readonly code: CalmCode; readonly provider: string }
  /** An outcome rather than a fault, or a fault that the person can go on without. */
  | { readonly tone: 'note'; readonly problem: Problem }
  | { readonly tone: 'alert'; readonly problem: Problem };

/** The person, the browser or the provider has ended something, as they may. */
const outcomes: readonly ProblemCode[] = ['cancelled', 'denied', 'interrupted', 'expired'];

/** `signedInWith` is the provider's name while somebody is signed in, and null while nobody is. */
export function toTelling(problem: Problem, isSigningIn: boolean, signedInWith: string | null): Telling {
  const { code } = problem;
  if (signedInWith !== null && isCalm(code)) return { tone: 'calm', code, provider: signedInWith };
  return { tone: isSigningIn || outcomes.includes(code) ? 'note' : 'alert', problem };
}

function isCalm(code: ProblemCode): code is CalmCode {
  const calm: readonly ProblemCode[] = calmCodes;
  return calm.includes(code);
}
