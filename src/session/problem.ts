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
  /** What looking around has brought to light about a sign-in page that failed. */
  readonly diagnosis?: Diagnosis;
}

/** Why a sign-in page failed, in the order in which they are looked for. */
export const causes = [
  /** The provider does not know the redirect URI of this extension. */
  'redirect-uri',
  /** The provider does not know the client. */
  'client',
  /** The provider refuses the request for another reason. */
  'request',
  /** There is nothing at the authorization endpoint. */
  'page-missing',
  /** The authorization endpoint fails or does not answer, while discovery does. */
  'page-down',
  /** The request does not get through: the provider cannot be reached at all, or something in between answers. */
  'network',
] as const;

export type Cause = (typeof causes)[number];

export interface Diagnosis {
  readonly cause: Cause;
  /** `known` where the provider says so in as many words, `guess` where it only looks like it. */
  readonly certainty: 'known' | 'guess';
  /** What is to be registered with the provider, exactly; null where registering would not help. */
  readonly register: string | null;
}

/** The longest detail that is kept; a provider chooses some of its words, so they have an end. */
export const maxDetailLength = 300;

/** An error that knows its problem. `cause` holds the evidence and stays inside the worker. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly detail: string | null;
  readonly diagnosis: Diagnosis | null;

  constructor(
    code: ProblemCode,
    detail: string | null = null,
    { diagnosis = null, ...options }: ErrorOptions & { readonly diagnosis?: Diagnosis | null } = {},
  ) {
    super(detail === null ? code : `${code}: ${detail}`, options);
    this.code = code;
    this.detail = detail;
    this.diagnosis = diagnosis;
  }
}

/**
 * Turns anything that was thrown into a problem. What is not a {@link ProblemError} is `unexpected`, and
 * only the name of its class is told, because the text of a foreign error may quote what it was given.
 */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof ProblemError) {
    const told = problem(thrown.code, thrown.detail);
    return thrown.diagnosis === null ? told : { ...told, diagnosis: thrown.diagnosis };
  }
  return problem('unexpected', thrown instanceof Error ? thrown.name : typeof thrown);
}

/** A problem whose detail is short enough to keep. */
export function problem(code: ProblemCode, detail: string | null = null): Problem {
  return { code, detail: detail === null ? null : detail.slice(0, maxDetailLength) };
}
