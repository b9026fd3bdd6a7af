// Reads the demand in an API's challenge (RFC 9110 section 11.6.1), and judges whether that API may ask for it.

import * as oauth from 'oauth4webapi';
import type { Api, Provider } from '../config/provider.ts';
import { type ChallengeError } from '../session/commands.ts';
import { detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import { read } from '../session/shape.ts';
import { joinScopes, toNames } from './authorize.ts';
import { withoutLongChallenge } from './http.ts';
import { signInOrderSchema, type SignInOrder } from '../session/sign-in-order.ts';

/** An authentication that an API wants. */
export interface StepUp {
  /** Authentication contexts, separated by spaces. The ID token must name one of them. Null for any. */
  readonly acrValues: string | null;
  /** How long ago the authentication may be, in seconds; null for any time. */
  readonly maxAgeSeconds: number | null;
}

/** An API's demand before it answers: more scope (RFC 6750 section 3.1), or another authentication (RFC 9470 section 3). */
export type AccessOrder = Extract<SignInOrder, { readonly type: 'request-scope' | 'step-up' }>;

/**
 * The demand with `error` in the `WWW-Authenticate` header of the API with the origin `api`; null if there is none, or only one
 * that the board could not show. An authentication about which it says nothing more has to be a new one.
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
  const acrValues = acr_values || null;
  const maxAgeSeconds = /^\d{1,9}$/.test(max_age) ? Number(max_age) : acrValues === null ? 0 : null;
  return { type: 'step-up', acrValues, maxAgeSeconds, api };
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

/** What says which scopes are an API's own. */
type ScopeOwner = Pick<Api, 'scope' | 'resource' | 'audience' | 'origins' | 'requestableScope'>;

/**
 * Checks a scope that an API may have chosen, and that the token of `api` would get, or with null that of the sign-in. It may
 * name a scope of neither another API nor, with `api`, the sign-in, and with `requestableScope` only what that lists (RFC 9700
 * section 2.3). Throws {@link ProblemError} `not-permitted`.
 */
export function expectRequestable(provider: Provider, api: Api | null, scope: string): void {
  const ofSignIn: ScopeOwner = { ...provider, origins: provider.apiOrigins };
  const owner = api ?? ofSignIn;
  const others = [ofSignIn, ...provider.apis].filter((one) => one !== owner);
  const requestable = owner.requestableScope === undefined ? null : toNames(owner.requestableScope);
  for (const name of toNames(scope)) {
    const own = rankOwner(owner, name);
    if (own < Math.max(0, ...others.map((other) => rankOwner(other, name))))
      throw new ProblemError('not-permitted', detail`scope: another API's, or the sign-in's`);
    if (own < 3 && requestable?.includes(name) === false)
      throw new ProblemError('not-permitted', detail`scope: not in "requestableScope"`);
  }
}

/**
 * How surely a scope is one of this owner's: 3 if it's configured, 2 if it begins with a name of the API, 1 if its last segment is
 * configured, as providers shorten and lengthen names. 0 if nothing says so.
 */
function rankOwner({ scope, resource, audience, origins }: ScopeOwner, written: string): number {
  const name = written.toLowerCase();
  const configured = toNames((scope ?? '').toLowerCase());
  if (configured.includes(name)) return 3;
  const places = [resource, audience, ...origins, ...configured.map(toPlace)];
  const isAt = (place: string) => place !== '' && (name === place || name.startsWith(`${place}/`));
  if (places.some((place) => isAt((place ?? '').toLowerCase().replace(/\/$/, '')))) return 2;
  const isShort = (one: string) => one.endsWith(`/${name}`) || name.endsWith(`/${one}`);
  return configured.some(isShort) ? 1 : 0;
}

/** The part of a scope's full name that names the API, without the last segment; empty if it has none. */
function toPlace(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}
