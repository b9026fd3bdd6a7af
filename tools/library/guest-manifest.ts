// The members of a manifest that Latchkey needs, in addition to those that an extension already has.

import { configuredOrigins, toHostPermissions } from '../../src/config/manifest.ts';
import type { Config } from '../../src/config/provider.ts';
import { readOwnManifest, type OwnManifest } from './own-manifest.ts';

/** The build under way. WXT passes this; with Vite, add `browser` to the value that `defineConfig` passes. */
export interface BuildEnvironment {
  /** `firefox`, or any browser with Chromium's engine. */
  readonly browser: string;
  /** `serve` relaxes the content security policy for Vite's server; `build` by default. */
  readonly command?: 'build' | 'serve';
  /** The version for which WXT builds, whatever the manifest says. */
  readonly manifestVersion?: 2 | 3;
}

interface GuestManifest {
  readonly permissions: string[];
  readonly host_permissions: string[];
  readonly content_security_policy: { readonly extension_pages: string };
  readonly background?: object;
  readonly minimum_chrome_version?: string;
  readonly browser_specific_settings?: { readonly gecko: { readonly strict_min_version: string } };
}

/** The oldest versions in which Latchkey is tested. */
export const oldest = { chrome: '148', firefox: '142.0' } as const;

type Engine = keyof typeof oldest;

/**
 * Returns those members, with what `manifest` has in them. The manifest's content security policy is kept, and may also connect to
 * the configured hosts; without one, it starts from the browser's default, so the extension's pages can do what they could before.
 * A manifest without an oldest browser gets the oldest in which Latchkey works, because an older one can't run its code.
 *
 * Throws an Error if the manifest's or the build's version isn't 3, and for what the manifest says that can't be true of an extension
 * with Latchkey: an older browser, no id for Firefox, a background of several scripts in Chrome, hosts among the permissions, or that it
 * collects no data.
 */
export function toGuestManifest(
  manifest: object,
  config: Config,
  { browser, command = 'build', manifestVersion = 3 }: BuildEnvironment,
): GuestManifest {
  const own = readOwnManifest(manifest);
  const engine = browser === 'firefox' ? 'firefox' : 'chrome';
  const other = [own['manifest_version'] ?? 3, manifestVersion].find((version) => version !== 3);
  if (other !== undefined) {
    throw new Error(
      `manifest.json: manifest_version: found ${JSON.stringify(other)}; expected 3. With WXT, write "manifestVersion: 3" in wxt.config.ts, ` +
        'because WXT builds version 2 for Firefox by default',
    );
  }
  expectHostsApart(own.permissions ?? []);
  const policies = own.content_security_policy ?? {};
  const { extension_pages: policy } = policies;
  const built =
    policy === undefined
      ? toDefaultPolicy(config, engine)
      : withSources(policy, 'connect-src', configuredOrigins(config));
  return {
    permissions: union(own.permissions, ['identity', 'storage']),
    host_permissions: union(own.host_permissions, toHostPermissions(config, engine)),
    content_security_policy: { ...policies, extension_pages: command === 'serve' ? relax(built) : built },
    ...toBackground(own.background, engine),
    ...toOldest(own, engine),
  };
}

function toOldest(
  { minimum_chrome_version: chrome, browser_specific_settings: settings }: OwnManifest,
  engine: Engine,
): Pick<GuestManifest, 'minimum_chrome_version' | 'browser_specific_settings'> {
  if (engine === 'chrome') {
    return { minimum_chrome_version: expectRecent(chrome, engine, 'minimum_chrome_version') };
  }
  const gecko = settings?.gecko;
  if (typeof gecko?.id !== 'string') {
    throw new Error(
      'manifest.json: browser_specific_settings.gecko.id: missing; expected an id such as "notes@acme.example", because ' +
        'Firefox makes the redirect URI of it, and without one a new one each time',
    );
  }
  const key = 'browser_specific_settings.gecko.strict_min_version';
  expectDeclared(gecko.data_collection_permissions?.required);
  const strictMinVersion = expectRecent(gecko.strict_min_version, engine, key);
  return {
    browser_specific_settings: { ...settings, gecko: { ...gecko, strict_min_version: strictMinVersion } },
  };
}

function expectRecent(stated: unknown, engine: Engine, key: string): string {
  if (stated === undefined) return oldest[engine];
  if (typeof stated === 'string' && Number.parseInt(stated, 10) >= Number.parseInt(oldest[engine], 10))
    return stated;
  throw new Error(
    `manifest.json: ${key}: found ${JSON.stringify(stated)}; expected "${oldest[engine]}" or later, because Latchkey is ` +
      'tested in no older browser',
  );
}

/** Version 2 has them there. Version 3 ignores them there, with a warning. */
function expectHostsApart(permissions: readonly string[]): void {
  const index = permissions.findIndex((name) => name === '<all_urls>' || name.includes('://'));
  if (index === -1) return;
  throw new Error(
    `manifest.json: permissions[${index}]: found ${JSON.stringify(permissions[index])}; expected it in host_permissions, because ` +
      'version 3 grants no host here',
  );
}

/**
 * The background, in the form that the browser runs: Chrome runs a service worker, and Firefox a list of scripts. WXT and some other
 * builds add it later.
 */
function toBackground(
  background: OwnManifest['background'],
  engine: Engine,
): Pick<GuestManifest, 'background'> {
  if (background === undefined) return {};
  const { service_worker: worker, scripts, page, ...others } = background;
  if (engine === 'firefox') {
    if (scripts !== undefined || page !== undefined || worker === undefined) return {};
    return { background: { ...others, scripts: [worker] } };
  }
  if (worker !== undefined) return {};
  const [script, ...more] = scripts ?? [];
  if (script !== undefined && more.length === 0) return { background: { ...others, service_worker: script } };
  throw new Error(
    'manifest.json: background.service_worker: missing; expected a file, such as "background.js", because Chrome runs one script as ' +
      'the background',
  );
}

function expectDeclared(required: readonly string[] | undefined): void {
  if (!required?.includes('none')) return;
  throw new Error(
    'manifest.json: browser_specific_settings.gecko.data_collection_permissions.required: found "none"; expected ' +
      '"authenticationInfo" and "personallyIdentifyingInfo", because a sign-in sends both to the provider',
  );
}

/** The policy of a manifest without one: the browser's own. */
function toDefaultPolicy(config: Config, engine: Engine): string {
  const policy = "script-src 'self'; object-src 'self'";
  // Firefox's default has this too. With it, a provider on this computer can't be reached, because it has no certificate.
  const hasCertificates = configuredOrigins(config).every((origin) => origin.startsWith('https:'));
  return engine === 'firefox' && hasCertificates ? `${policy}; upgrade-insecure-requests` : policy;
}

/** Allows what Vite's server needs: its modules and updates, and the styles that they add. */
export function relax(policy: string): string {
  const served = withSources(policy, 'connect-src', ['http://localhost:*', 'ws://localhost:*']);
  return withSources(served, 'style-src', ["'unsafe-inline'"]);
}

/**
 * Adds sources to a directive. If the policy doesn't have the directive, it starts from the sources of its fallback; a policy that
 * doesn't restrict it stays as it is.
 */
export function withSources(policy: string, name: string, added: readonly string[]): string {
  const parts = policy
    .split(';')
    .map((part) => part.trim().split(/\s+/))
    .filter(([directive]) => directive !== '');
  // The first directive of a name counts (Content Security Policy Level 3, section 2.2.1).
  const directives = new Map(
    parts.toReversed().map(([directive = '', ...sources]) => [directive.toLowerCase(), sources]),
  );
  const present = directives.get(name) ?? directives.get('default-src');
  if (present === undefined) return policy;
  const others = present.filter((source) => source !== "'none'");
  directives.set(name, union(others, added));
  return [...directives].map(([directive, sources]) => [directive, ...sources].join(' ')).join('; ');
}

function union(one: readonly string[] = [], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}
