// Reads the demand in an API's challenge (RFC 9110 section 11.6.1).

import * as oauth from 'oauth4webapi';
import { withoutLongChallenge } from './body.ts';

/** An authentication that an API wants. */
export interface StepUp {
  /** Authentication contexts, separated by spaces. The ID token must name one of them. Null for any. */
  readonly acrValues: string | null;
  /** How long ago the authentication may be, in seconds; null for any time. */
  readonly maxAgeSeconds: number | null;
}

/** An API's demand before it answers: more scope (RFC 6750 section 3.1), or another authentication (RFC 9470 section 3). */
export type Demand =
  | { readonly type: 'scope'; readonly scope: string }
  | { readonly type: 'step-up'; readonly stepUp: StepUp };

/**
 * The demand in a `WWW-Authenticate` header; null if it has none that a sign-in could meet. An authentication
 * about which it says nothing more has to be a new one.
 */
export async function readDemand(header: string): Promise<Demand | null> {
  for (const { parameters } of await parse(header)) {
    const { error, scope, acr_values: acrValues = null, max_age: maxAge } = parameters;
    if (error === 'insufficient_scope' && scope) return { type: 'scope', scope };
    if (error !== 'insufficient_user_authentication') continue;
    const maxAgeSeconds = /^\d{1,9}$/.test(maxAge ?? '') ? Number(maxAge) : null;
    return {
      type: 'step-up',
      stepUp: { acrValues, maxAgeSeconds: acrValues === null && maxAgeSeconds === null ? 0 : maxAgeSeconds },
    };
  }
  return null;
}

/** oauth4webapi parses the challenges of a response. This one is read as the answer to a revocation, which has no body. */
async function parse(header: string): Promise<readonly oauth.WWWAuthenticateChallenge[]> {
  try {
    const headers = withoutLongChallenge(new Headers({ 'www-authenticate': header }));
    await oauth.processRevocationResponse(new Response(null, { status: 401, headers }));
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.cause;
  }
  return [];
}
