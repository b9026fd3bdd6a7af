// From the one manifest.json to the manifest of each browser.

import { toContentSecurityPolicy, toHostPermissions, type Browser } from './origins.ts';
import type { Config } from './provider.ts';

/** What is read of manifest.json as it stands at the top level; the rest of it is handed through. */
export interface Manifest {
  readonly [key: string]: unknown;
  readonly manifest_version: number;
  readonly name: string;
  readonly version: string;
  readonly background: { readonly service_worker: string };
  readonly minimum_chrome_version: string;
  readonly browser_specific_settings: { readonly gecko: { readonly strict_min_version: string } };
}

interface BuiltManifest {
  readonly manifest_version: number;
  readonly name: string;
  readonly version: string;
  readonly background: { service_worker: string } | { scripts: string[]; type: string };
  readonly host_permissions: string[];
  readonly content_security_policy: { extension_pages: string };
}

const fromConfiguration = ['host_permissions', 'content_security_policy'];

const unknownTo: Readonly<Record<Browser, readonly string[]>> = {
  chrome: ['browser_specific_settings'],
  // Firefox has always cloned messages.
  firefox: ['key', 'minimum_chrome_version', 'message_serialization'],
};

/**
 * The manifest for one browser: without what only the other knows, and with exactly the hosts that the
 * configuration names. Throws when the manifest names hosts of its own, which would have no effect.
 */
export function toManifest(manifest: Manifest, config: Config, browser: Browser): BuiltManifest {
  const own = fromConfiguration.find((key) => key in manifest);
  if (own !== undefined) {
    throw new Error(
      `manifest.json: "${own}" is made from the configuration; remove it and name the hosts there`,
    );
  }
  const { background } = manifest;
  const built: BuiltManifest & Record<string, unknown> = {
    ...manifest,
    // Firefox has no service worker for extensions: it runs the same module in a page that nobody sees.
    background: browser === 'firefox' ? { scripts: [background.service_worker], type: 'module' } : background,
    host_permissions: [...toHostPermissions(config, browser)],
    content_security_policy: { extension_pages: toContentSecurityPolicy(config) },
  };
  for (const key of unknownTo[browser]) delete built[key];
  return built;
}

/** The build's target: the oldest version in which the manifest lets the extension be installed. */
export function toBuildTarget(manifest: Manifest, browser: Browser): readonly string[] {
  const version =
    browser === 'chrome'
      ? manifest.minimum_chrome_version
      : manifest.browser_specific_settings.gecko.strict_min_version;
  return [`${browser}${Number.parseInt(version, 10)}`];
}
