// Derives the manifest of each browser from manifest.json and the configuration.

import { toContentSecurityPolicy, toHostPermissions, type Browser } from './origins.ts';
import type { Config } from './provider.ts';

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

/** Permissions that the other browser has and this one does not know. It would warn about each when it is installed. */
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
