// Everything that can go wrong, as a closed list of codes, and the one conversion from a thrown value to a problem.
// A problem crosses messages and storage, so it holds a code and a safe detail, and nothing else.

import { trusted, type Detail } from './detail.ts';

/** Every problem code, in the order in which the documentation lists them. */
export const problemCodes = [
  'cancelled',
  'denied',
  'interrupted',
  'expired',
  'offline',
  'timed-out',
  'provider-unreachable',
  'provider-misconfigured',
  'sign-in-page-failed',
  'clock-wrong',
  'not-supported',
  'host-permission-missing',
  'response-rejected',
  'not-permitted',
  'storage-failed',
  'worker-unreachable',
  'unexpected',
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/**
 * A failure as the popup shows it. `detail` is for support: it names a host, a check or an error code of the standards.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail: Detail | null;
  /** Why a sign-in page failed, if that was found out. */
  readonly diagnosis?: Diagnosis;
  /** A sign-in window may still be open: none proved to be ours, so none was closed. */
  readonly window?: 'left-open';
}

/** The causes of a failed sign-in page, in the order in which they are checked. */
export const causes = [
  /** The provider does not know the redirect URI of this extension. */
  'redirect-uri',
  /** The provider does not know the client. */
  'client',
  /** The provider rejects the request for another reason. */
  'request',
  /** There is nothing at the authorization endpoint. */
  'page-missing',
  /** The authorization endpoint fails or does not answer, although discovery works. */
  'page-down',
  /** The provider cannot be reached at all, or a proxy or captive portal answers for it. */
  'network',
] as const;

export type Cause = (typeof causes)[number];

export interface Diagnosis {
  readonly cause: Cause;
  /** `known` if the provider says so explicitly, `guess` if the evidence only suggests it. */
  readonly certainty: 'known' | 'guess';
  /** The exact value to register with the provider; null if registering would not help. */
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
  readonly window: 'left-open' | null;

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
  return problem('unexpected', trusted(thrown instanceof Error ? thrown.name : typeof thrown));
}

/** A problem, with its detail cut to {@link maxDetailLength}. */
export function problem(code: ProblemCode, detail: Detail | null = null): Problem {
  return { code, detail: detail === null ? null : trusted(detail.slice(0, maxDetailLength)) };
}
