// Everything that can go wrong, as a closed list of codes, and the one conversion from a thrown value to a problem.
// A problem crosses messages and storage, so it holds a code and a safe detail, and nothing else.

import { safe, type Detail } from './detail.ts';

/**
 * Every problem code with its kind, in the order in which the documentation lists them. `outcome`: a user, the browser or the
 * provider ended the sign-in or the session, and nothing is broken. `passing`: it passes by itself, a retry may succeed, and
 * a session outlives it. `fault`: it stays until someone fixes it.
 */
const kinds = {
  cancelled: 'outcome',
  denied: 'outcome',
  interrupted: 'outcome',
  expired: 'outcome',
  offline: 'passing',
  'timed-out': 'passing',
  'provider-unreachable': 'passing',
  'provider-misconfigured': 'fault',
  'sign-in-page-failed': 'fault',
  'clock-wrong': 'fault',
  'not-supported': 'fault',
  'host-permission-missing': 'fault',
  'response-rejected': 'fault',
  'not-permitted': 'fault',
  'storage-failed': 'fault',
  'worker-unreachable': 'fault',
  unexpected: 'fault',
} as const;

export type ProblemCode = keyof typeof kinds;

/** The codes of problems that pass by themselves. */
export type PassingCode = {
  [Code in ProblemCode]: (typeof kinds)[Code] extends 'passing' ? Code : never;
}[ProblemCode];

export const problemCodes = Object.keys(kinds) as readonly ProblemCode[];

/** Whether a problem with this code ends a sign-in or a session without anything being broken. */
export function isOutcome(code: ProblemCode): boolean {
  return kinds[code] === 'outcome';
}

/** Whether a problem with this code passes by itself. */
export function isPassing(code: ProblemCode): code is PassingCode {
  return kinds[code] === 'passing';
}

/**
 * A failure as the popup shows it. `detail` is for support: it names a host, a check or an error code of the standards.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail: Detail | null;
  /** Why a sign-in page failed, if that was found out. */
  readonly diagnosis?: Diagnosis;
  readonly window?: WindowEnd;
}

/**
 * `left-open`: a sign-in window may still be open, because none proved to be ours, so none was closed. `closed-by-browser`: the window
 * had appeared, and a page in it didn't load.
 */
export type WindowEnd = (typeof windowEnds)[number];

export const windowEnds = ['left-open', 'closed-by-browser'] as const;

/** The causes of a failed sign-in page, in the order in which they are checked. */
export const causes = [
  /** The provider doesn't know the redirect URI of this extension. */
  'redirect-uri',
  /** The provider doesn't know the client. */
  'client',
  /** The provider refuses the `Origin` of this extension's requests. */
  'origin',
  /** The redirect URI is registered for another kind of application than one in a browser. */
  'platform',
  /** The provider rejects the request for another reason. */
  'request',
  /** There is nothing at the authorization endpoint. */
  'page-missing',
  /** The sign-in page comes with an error status, and Chromium doesn't show such a page. */
  'page-hidden',
  /** The authorization endpoint fails or doesn't respond, although discovery works. */
  'page-down',
  /** The provider can't be reached at all, or a proxy or captive portal responds in its place. */
  'network',
] as const;

export type Cause = (typeof causes)[number];

export interface Diagnosis {
  readonly cause: Cause;
  /** `known` if the provider says so explicitly, `guess` if the evidence only suggests it. */
  readonly certainty: 'known' | 'guess';
  /** The exact value to register with the provider; null if registering wouldn't help. */
  readonly register: string | null;
}

/** The longest detail, in characters. A value of the configuration in it may be long. */
export const maxDetailLength = 300;

/** An error with its problem. `cause` holds the evidence, perhaps in the provider's words, and stays inside the worker. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly detail: Detail | null;
  readonly diagnosis: Diagnosis | null;
  readonly window: WindowEnd | null;

  constructor(
    code: ProblemCode,
    detail: Detail | null = null,
    {
      diagnosis = null,
      window = null,
      ...options
    }: ErrorOptions & Partial<Pick<ProblemError, 'diagnosis' | 'window'>> = {},
  ) {
    super(detail === null ? code : `${code}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
    this.diagnosis = diagnosis;
    this.window = window;
  }
}

/**
 * Converts anything that was thrown to a problem. Any error but a {@link ProblemError} becomes `unexpected` with the
 * name of its class only, because its message may quote its input.
 */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof ProblemError) {
    const { code, detail, diagnosis, window } = thrown;
    return { ...problem(code, detail), ...(diagnosis && { diagnosis }), ...(window && { window }) };
  }
  return problem('unexpected', safe(thrown instanceof Error ? thrown.name : typeof thrown));
}

/** A problem, with its detail cut to {@link maxDetailLength}. */
export function problem(code: ProblemCode, detail: Detail | null = null): Problem {
  return { code, detail: detail === null ? null : safe(detail.slice(0, maxDetailLength)) };
}
