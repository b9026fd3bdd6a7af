// The one error that a feature's fetch has beyond the platform's own: the request was refused, and why.

/** Why a request was refused, as a closed list. */
export const refusalReasons = [
  'signed-out',
  'origin-not-allowed',
  'authorization-header',
  'body-too-large',
  'redirect-refused',
  'renewal-failed',
  'worker-lost',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/**
 * A request that was not made, or whose answer was not handed on. The message says what happened and what to do.
 * It crosses from the worker to the page, so it never quotes a token, nor an error of somebody else.
 */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
