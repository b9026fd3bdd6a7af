// The origins that the extension may reach, and the manifest entries derived from them.

import type { Path } from './config-error.ts';
import type { Config, Provider } from './provider.ts';

export type Browser = 'chrome' | 'firefox';

/** A setting, or a part of one, and the URL in it. */
export type Address = readonly [Path, string];

/** Returns where a provider is, apart from its APIs. */
export function toAddresses({
  issuer,
  issuerTemplate,
  discoveryUrl,
  origins,
  metadata,
  userApi,
}: Provider): readonly Address[] {
  const named: (readonly [Path, unknown])[] = [
    [['issuer'], issuer],
    [['issuerTemplate'], issuerTemplate],
    [['discoveryUrl'], discoveryUrl],
    ...origins.map((url, at) => [['origins', at], url] as const),
    ...Object.entries(metadata ?? {}).map(([name, url]) => [['metadata', name], url] as const),
    [['userApi', 'url'], userApi?.url],
  ];
  return named.filter((address): address is Address => typeof address[1] === 'string');
}

/** Returns the origins of the APIs that get a token of the provider: `apiOrigins`, and those of `apis`. */
export function toApiOrigins({ apiOrigins, apis }: Pick<Provider, 'apiOrigins' | 'apis'>): readonly string[] {
  return [...apiOrigins, ...apis.flatMap(({ origins }) => origins)];
}

/** Returns the origins of one provider: its issuer's, `origins`, and those of its APIs. */
export function toProviderOrigins(
  provider: Pick<Provider, 'issuer' | 'origins' | 'apiOrigins' | 'apis'>,
): readonly string[] {
  const { issuer, origins } = provider;
  return [...new Set([new URL(issuer).origin, ...origins, ...toApiOrigins(provider)])];
}

/** Returns every origin that the extension may reach, sorted: those of all providers and `policyOrigins`. */
export function configuredOrigins({
  providers,
  policyOrigins,
}: Pick<Config, 'providers' | 'policyOrigins'>): readonly string[] {
  return [...new Set([...providers.flatMap(toProviderOrigins), ...policyOrigins])].toSorted();
}

/** Returns the match patterns for `host_permissions`. */
export function toHostPermissions(config: Config, browser: Browser): readonly string[] {
  const patterns = configuredOrigins(config).map((origin) =>
    browser === 'firefox' ? toMatchPattern(origin) : `${origin}/*`,
  );
  return [...new Set(patterns)];
}

/**
 * Returns the match pattern of a host, for any port.
 *
 * COMPAT(Firefox 153): a permission whose pattern has a port is ignored (https://bugzil.la/1362809).
 */
export function toMatchPattern(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}

/**
 * Returns the content security policy for the extension's pages and worker. `connect-src` is exactly the
 * configured origins, because the package's own files need no entry in either browser.
 * `upgrade-insecure-requests`, a Firefox default, is left out: a provider on localhost has no certificate.
 */
export function toContentSecurityPolicy(config: Config): string {
  const origins = configuredOrigins(config);
  const loopback = origins.filter((origin) => origin.startsWith('http:'));
  return [
    ["default-src 'none'"],
    ["script-src 'self'"],
    ["style-src 'self'"],
    ["img-src 'self' data: https:", ...loopback],
    ['connect-src', ...origins],
    ["object-src 'none'"],
    ["base-uri 'none'"],
    ["form-action 'none'"],
    ["frame-ancestors 'none'"],
  ]
    .map((directive) => directive.join(' '))
    .join('; ');
}
