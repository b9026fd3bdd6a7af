// Reads the demand in an API's challenge (RFC 9110 section 11.6.1), and judges whether that API may ask for it.

import * as oauth from 'oauth4webapi';
import type { Api } from '../config/provider.ts';
import { type ChallengeError } from '../session/commands.ts';
import { detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { read } from '../session/shape.ts';
import { joinScopes, toNames } from './authorize.ts';
import { withoutLongChallenge } from './http.ts';
import { signInOrderSchema, type SignInOrder } from '../session/sign-in-order.ts';

/** An authentication that an API requires. */
export interface StepUp {
  /** Authentication contexts, separated by spaces. The ID token must name one of them. Null for any. */
  readonly acrValues: string | null;
  /** How long ago the authentication may be, in seconds; null for any time. */
  readonly maxAgeSeconds: number | null;
}

/** An API's condition for a response: more scope (RFC 6750 section 3.1), or another authentication (RFC 9470 section 3). */
export type AccessOrder = Extract<SignInOrder, { readonly type: 'request-scope' | 'step-up' }>;

/**
 * The demand with `error` in the `WWW-Authenticate` header of the API with the origin `api`; null if there is none, or only one
 * that the board couldn't show. An authentication about which it says nothing more has to be a new one.
 */
export async function readDemand(
  header: string,
  error: ChallengeError,
  api: string,
): Promise<AccessOrder | null> {
  const demands = (await parse(header))
    .filter(({ parameters }) => parameters.error === error)
    .map(({ parameters }) => toDemand(parameters, error, api));
  return demands.find((demand) => read(signInOrderSchema, demand) !== null) ?? null;
}

function toDemand(
  { scope = '', acr_values = '', max_age = '' }: oauth.WWWAuthenticateChallengeParameters,
  error: ChallengeError,
  api: string,
): AccessOrder {
  if (error === 'insufficient_scope') return { type: 'request-scope', scope: joinScopes(scope), api };
  const acrValues = joinScopes(acr_values) || null;
  const age = max_age.trim();
  const maxAgeSeconds = /^\d{1,9}$/.test(age) ? Number(age) : acrValues === null ? 0 : null;
  return { type: 'step-up', acrValues, maxAgeSeconds, api };
}

/** oauth4webapi parses the challenges of a response. This one is read as the response to a revocation, which has no body. */
async function parse(header: string): Promise<readonly oauth.WWWAuthenticateChallenge[]> {
  try {
    const headers = withoutLongChallenge(new Headers({ 'www-authenticate': header }));
    await oauth.processRevocationResponse(new Response(null, { status: 401, headers }));
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.cause;
  }
  return [];
}

/**
 * Checks a scope that an API may have chosen: with `requestableScope` it names what that lists, or is configured. Throws
 * {@link ProblemError} `not-permitted`.
 */
export function expectRequestable(owner: Pick<Api, 'scope' | 'requestableScope'>, scope: string): void {
  const { requestableScope } = owner;
  if (requestableScope === undefined) return;
  const listed = toNames(joinScopes(owner.scope ?? '', requestableScope));
  if (!toNames(scope).every((name) => listed.includes(name)))
    throw new ProblemError('not-permitted', detail`scope: not in "requestableScope"`);
}
