// APIs with tokens of their own.

import type { Part } from '../background/part.ts';
import type { Api, Provider } from '../config/provider.ts';
import { findApiMistakes } from '../config/rules.ts';
import { toNames } from '../oidc/authorize.ts';
import { detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';

/** The settings that show which scopes are an API's own. */
type ScopeOwner = Pick<Api, 'scope' | 'resource' | 'audience' | 'origins'>;

/**
 * Checks a scope that an API may have chosen, for the token of `api`, or with null for that of the sign-in. It must not name a
 * scope of a different API or, with `api`, of the sign-in (RFC 9700 section 2.3). Throws {@link ProblemError}
 * `not-permitted`.
 */
export function expectOwnScope(provider: Provider, api: Api | null, scope: string): void {
  const ofSignIn: ScopeOwner = { ...provider, origins: provider.apiOrigins };
  const owner = api ?? ofSignIn;
  const others = [ofSignIn, ...provider.apis].filter((one) => one !== owner);
  for (const name of toNames(scope)) {
    const rank = rankOwner(owner, name);
    if (others.some((other) => rankOwner(other, name) > rank))
      throw new ProblemError('not-permitted', detail`scope: another API's, or the sign-in's`);
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

export const part: Part = { findMistakes: findApiMistakes, expectOwnScope };
