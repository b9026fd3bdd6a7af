// Derives the manifest of each browser from manifest.json and the configuration.

import type { Config, Provider } from './provider.ts';
import type { Path } from './config-error.ts';

/** The members of manifest.json used here. The rest is copied. */
export interface SourceManifest {
  readonly [key: string]: unknown;
  readonly manifest_version: number;
  readonly name: string;
  readonly background: { readonly service_worker: string };
  readonly permissions?: readonly string[];
  readonly minimum_chrome_version: string;
  /** The public key, DER in base64. */
  readonly key?: string;
  readonly browser_specific_settings: {
    readonly gecko: { readonly id: string; readonly strict_min_version: string };
  };
}

/** manifest.json with the version, which comes from package.json. */
export interface Manifest extends SourceManifest {
  readonly version: string;
}

interface BuiltManifest {
  readonly manifest_version: number;
  readonly name: string;
  readonly version: string;
  readonly background: { service_worker: string } | { scripts: string[]; type: string };
  readonly host_permissions: string[];
  readonly content_security_policy: { extension_pages: string };
}

const configuredKeys = ['host_permissions', 'content_security_policy'];

const unsupportedKeys: Readonly<Record<Browser, readonly string[]>> = {
  chrome: ['browser_specific_settings', 'sidebar_action'],
  // Firefox has always used structured clones for messages, and passes a policy on as it is.
  firefox: ['key', 'minimum_chrome_version', 'message_serialization', 'side_panel', 'storage'],
};

/** Permissions that the other browser has and this one doesn't know. It would warn about each when it is installed. */
const unknownPermissions: Readonly<Record<Browser, readonly string[]>> = {
  chrome: ['menus'],
  firefox: ['sidePanel', 'offscreen', 'readingList', 'favicon', 'tabCapture', 'desktopCapture'],
};

/**
 * Creates the manifest for one browser: without the keys and permissions of another browser, and with exactly the hosts of
 * the configuration. Throws if manifest.json names hosts itself, because they would be overwritten.
 */
export function toManifest(manifest: Manifest, config: Config, browser: Browser): BuiltManifest {
  const own = configuredKeys.find((key) => key in manifest);
  if (own !== undefined) {
    throw new Error(
      `manifest.json: "${own}" is generated from the configuration; remove it and list the hosts there`,
    );
  }
  const { background } = manifest;
  const built: BuiltManifest & Record<string, unknown> = {
    ...manifest,
    // Firefox has no service workers for extensions: it runs the module in a hidden page.
    background: browser === 'firefox' ? { scripts: [background.service_worker], type: 'module' } : background,
    ...(manifest.permissions && {
      permissions: manifest.permissions.filter((name) => !unknownPermissions[browser].includes(name)),
    }),
    host_permissions: [...toHostPermissions(config, browser)],
    content_security_policy: { extension_pages: toContentSecurityPolicy(config) },
  };
  for (const key of unsupportedKeys[browser]) delete built[key];
  // It names the policy's schema.
  if (!config.policies) delete built['storage'];
  return built;
}

/** Returns the build target: the oldest browser version in which the extension can be installed. */
export function toBuildTarget(manifest: Manifest, browser: Browser): readonly string[] {
  const version =
    browser === 'chrome'
      ? manifest.minimum_chrome_version
      : manifest.browser_specific_settings.gecko.strict_min_version;
  return [`${browser}${Number.parseInt(version, 10)}`];
}

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
