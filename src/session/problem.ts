// Everything that can go wrong, as a closed list of codes; and the one way from a thrown thing to a problem.
// A problem crosses messages and storage, so it has room for a code and a safe detail and nothing else.

/** Every problem code, in the order in which the README lists them. */
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
 * What the popup is told of a failure. `detail` is for the person who supports the user: it names a host, a
 * check or a provider's error code. It never holds a token, a claim's value or a URL's query.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string | null;
}

/** The longest detail that is kept; a provider chooses some of its words, so they have an end. */
export const longestDetail = 300;

/** An error that knows its problem. `cause` holds the evidence and stays inside the worker. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly detail: string | null;

  constructor(code: ProblemCode, detail: string | null = null, options?: ErrorOptions) {
    super(detail === null ? code : `${code}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
  }
}

/**
 * Turns anything that was thrown into a problem. What is not a {@link ProblemError} is `unexpected`, and
 * only the name of its class is told, because the text of a foreign error may quote what it was given.
 */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof ProblemError) return problem(thrown.code, thrown.detail);
  return problem('unexpected', thrown instanceof Error ? thrown.name : typeof thrown);
}

/** A problem whose detail is short enough to keep. */
export function problem(code: ProblemCode, detail: string | null = null): Problem {
  return { code, detail: detail === null ? null : detail.slice(0, longestDetail) };
}
