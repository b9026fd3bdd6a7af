// The scopes, resources and audiences that requests name. A sign-in asks the user for everything; each token request names the
// one API that its token is for.

import type { Api, Provider } from '../config/provider.ts';

/** Scopes requested beyond the configured ones. */
export interface AdditionalScopes {
  /** For the token of the sign-in. */
  readonly own?: string | undefined;
  /** For the tokens of APIs. */
  readonly ofApis?: string | undefined;
}

/** The scope that a sign-in asks the user for: that of its own token, and those of all APIs. May be empty. */
export function toWholeScope(provider: Provider, { own = '', ofApis = '' }: AdditionalScopes): string {
  return joinScopes(provider.scope, own, ...provider.apis.map(({ scope }) => scope ?? ''), ofApis);
}

/** The APIs that a sign-in names, so that a token for each may be requested later (RFC 8707 section 2.1). */
export function toWholeResource({ resource, apis }: Provider): readonly string[] {
  const all = [resource, ...apis.map((api) => api.resource)];
  return [...new Set(all.filter((one) => one !== null))];
}

/**
 * The parameters of a request for the token of the sign-in (RFC 8707 section 2.2). Its scope is named only if the user was
 * asked for more (RFC 6749 section 6).
 */
export function toOwnParameters(
  { scope, resource, apis }: Provider,
  { own = '' }: AdditionalScopes,
): Record<string, string> {
  const isNarrower = apis.some((api) => api.scope !== null);
  return withoutNull({ resource, scope: isNarrower ? joinScopes(scope, own) : null });
}

/** The parameters of a request for the token of an API: its scope, `resource` (RFC 8707 section 2.2) and `audience`. */
export function toApiParameters(
  { scope, resource, audience }: Api,
  additionalScope: string,
): Record<string, string> {
  const requested =
    scope === null && additionalScope === '' ? null : joinScopes(scope ?? '', additionalScope);
  return withoutNull({ scope: requested, resource, audience });
}

/** A key for what an API's token is for. A token that was requested for something else has another key. */
export function toApiKey({ scope, resource, audience }: Api): string {
  return JSON.stringify([scope, resource, audience]);
}

/** The parameters of a request. A list gives a parameter several times. Leaves out those without a value. */
export function toParameters(
  values: Readonly<Record<string, string | number | readonly string[] | null | undefined>>,
): URLSearchParams {
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, String(one)])),
  );
}

/** The members that have a value. */
export function withoutNull<Value>(members: Readonly<Record<string, Value | null>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Value] => entry[1] !== null),
  );
}

/** Joins scopes, without duplicates. */
export function joinScopes(...scopes: readonly string[]): string {
  return [...new Set(toNames(scopes.join(' ')))].join(' ');
}

/**
 * Whether all of the scope `requested` is in `granted`. A provider that returns no scope has granted all (RFC 6749
 * section 5.1). Some return the full name of a scope requested by its last segment: `https://api.example/notes.read`.
 */
export function isGranted(requested: string, granted: string | null): boolean {
  if (granted === null) return true;
  const names = toNames(granted.toLowerCase());
  return toNames(requested.toLowerCase()).every((name) =>
    names.some((full) => full === name || full.endsWith(`/${name}`)),
  );
}

function toNames(scope: string): string[] {
  return scope.split(' ').filter(Boolean);
}
