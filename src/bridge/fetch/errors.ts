// The only error of a feature's fetch beyond those of the standard: a refused request, with the reason.

/** All reasons why a request can be refused. */
export const refusalReasons = [
  'signed-out',
  'origin-not-allowed',
  'authorization-header',
  'body-too-large',
  'redirect-refused',
  'renewal-failed',
  'api-token-refused',
  'worker-lost',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/**
 * A request that wasn't sent, or whose response was withheld. The message says what happened and what to do. It is
 * sent from the worker to the page, so it never quotes a token or the text of a foreign error.
 */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
