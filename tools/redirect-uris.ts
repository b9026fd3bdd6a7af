// Computes the redirect URIs from manifest.json, as the browsers do, and says which of them to register.

import { createHash } from 'node:crypto';
import type { BrowserName } from './browser/browsers.ts';

/** The parts of manifest.json that identify the extension. */
export interface ExtensionIdentity {
  /** The public key, DER in base64. Chromium derives the extension id from it, or without it from the build's folder. */
  readonly key?: string;
  readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
}

/**
 * The redirect URIs to register with the provider: the results of `identity.getRedirectURL(providerId)` in unpacked
 * builds. Throws an Error without a `key`: the one of Chromium then differs between folders.
 */
export function redirectUris(
  manifest: ExtensionIdentity,
  providerId: string,
): { chrome: string; firefox: string } {
  const { key, browser_specific_settings: settings } = manifest;
  if (key === undefined) {
    throw new Error(
      'manifest.json: expected "key", from which the redirect URI of Chromium follows; `npm run rename` makes one.',
    );
  }
  return { chrome: toChromeUri(key, providerId), firefox: toFirefoxUri(settings.gecko.id, providerId) };
}

function toChromeUri(key: string, providerId: string): string {
  return `https://${toChromeExtensionId(key)}.chromiumapp.org/${providerId}`;
}

function toFirefoxUri(geckoId: string, providerId: string): string {
  const host = createHash('sha1').update(geckoId).digest('hex');
  return `https://${host}.extensions.allizom.org/${providerId}`;
}

/** The first 16 bytes of the key's SHA-256, with the letters a to p as hexadecimal digits. */
function toChromeExtensionId(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex');
  return digest.slice(0, 32).replace(/./g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)));
}

/** Edge runs the build for Chrome, with the same id. */
const titles: Readonly<Record<BrowserName, string>> = { chrome: 'Chrome, Edge', firefox: 'Firefox' };

/**
 * Returns lines to print, with what to register so that unpacked builds can sign in: for each provider the redirect URI of
 * each browser. Empty without a provider.
 */
export function describeRedirectUris(
  manifest: ExtensionIdentity,
  providerIds: readonly string[],
  browsers: readonly BrowserName[],
): readonly string[] {
  if (providerIds.length === 0) return [];
  const { key, browser_specific_settings: settings } = manifest;
  const toUri: Readonly<Record<BrowserName, (providerId: string) => string>> = {
    chrome: (id) =>
      key === undefined ? 'unknown, because manifest.json has no "key"' : toChromeUri(key, id),
    firefox: (id) => toFirefoxUri(settings.gecko.id, id),
  };
  const lines = providerIds.flatMap((id) =>
    browsers.map((browser) => `  ${`${titles[browser]}:`.padEnd(14)}${toUri[browser](id)}`),
  );
  return ['Redirect URIs to register with the providers, for unpacked builds:', ...lines];
}

/** Says that a store's build has another redirect URI, in a line to be printed. */
export const storesDiffer =
  'A build from the Chrome Web Store or from Edge Add-ons has another one: see "Name your provider" in README.md.';

/** Where the ids of the stores come from, in lines to be printed. */
export const storeIds = `A store gives a new item an id of its own, and so another redirect URI:
  Chrome Web Store  Upload the extension once, without publishing it. Copy the public key that the dashboard
                    shows under "Package" into "key" of manifest.json. \`npm run build\` then prints the URI.
  Edge Add-ons      Register https://<id>.chromiumapp.org/<provider id> too, with the id that Partner Center shows.
  Firefox Add-ons   The id is the one in manifest.json, so the URI stays.`;
