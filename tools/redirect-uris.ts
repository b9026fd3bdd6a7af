// Computes the redirect URIs from manifest.json, as the browsers do, and says which of them to register.

import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { toSignInUri } from '../src/parts/loopback.ts';
import type { Provider } from '../src/config/config.ts';
import type { BrowserName } from './browser/browsers.ts';

/** The parts of manifest.json that identify the extension. */
export interface ExtensionIdentity {
  /** The public key, DER in base64. Chromium derives the extension id from it, or without it from the build's folder. */
  readonly key?: string;
  readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
}

/** The form of an id for Firefox that addons.mozilla.org accepts. */
export const geckoIdForm = /^(?:[\w.-]*@[\w.-]+|\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\})$/i;

/** The settings that decide the redirect URIs of a provider. */
type RedirectedProvider = Pick<Provider, 'id' | 'firefoxRedirect'>;

/** Where an extension runs with a redirect URI of its own. `edge` is the build from Edge Add-ons, if its id is known. */
export type TargetName = BrowserName | 'edge';

/** One place where the extension runs. */
export interface Target {
  readonly name: TargetName;
  readonly redirectUri: string;
  /** The `Origin` of the worker's requests. In Firefox it's an example, because it differs for each installation. */
  readonly origin: string;
}

/** Edge runs the build for Chrome, with the same id. */
export const targetTitles: Readonly<Record<TargetName, string>> = {
  chrome: 'Chrome, Edge',
  edge: 'Edge Add-ons',
  firefox: 'Firefox',
};

/** The ids of an extension in its browsers; null for a browser that isn't examined. */
export interface ExtensionIds {
  readonly chromeId: string | null;
  readonly edgeId: string | null;
  readonly firefoxId: string | null;
  /** Set for an extension that manifest.json describes without `key`. */
  readonly lacksKey?: boolean;
}

/**
 * The ids of an extension that manifest.json describes. Without `key` there is none for Chromium, because there it depends on
 * the folder of the build.
 */
export function toExtensionIds(manifest: ExtensionIdentity): ExtensionIds {
  const { key, browser_specific_settings: settings } = manifest;
  const inChromium =
    key === undefined ? { chromeId: null, lacksKey: true } : { chromeId: toChromeExtensionId(key) };
  return { ...inChromium, edgeId: null, firefoxId: settings.gecko.id };
}

/** The targets of a provider, for the extension with these ids. */
export function toTargets(
  { chromeId, edgeId, firefoxId }: ExtensionIds,
  provider: RedirectedProvider,
): readonly Target[] {
  const inChromium = (name: TargetName, id: string | null) =>
    id === null
      ? []
      : [{ name, redirectUri: toChromeUri(id, provider.id), origin: `chrome-extension://${id}` }];
  const targets = [...inChromium('chrome', chromeId), ...inChromium('edge', edgeId)];
  if (firefoxId === null) return targets;
  const origin = `moz-extension://${randomUUID()}`;
  return [...targets, { name: 'firefox', redirectUri: toFirefoxUri(firefoxId, provider), origin }];
}

/**
 * The redirect URIs to register with the provider: the results of `identity.getRedirectURL(providerId)` in unpacked
 * builds, or in Firefox the loopback form instead. Throws an Error without a `key`: Chromium's
 * URI then differs between folders.
 */
export function redirectUris(
  manifest: ExtensionIdentity,
  id: string,
  firefoxRedirect: Provider['firefoxRedirect'] = 'extensions.allizom.org',
): Readonly<Record<BrowserName, string>> {
  const { chromeId, firefoxId } = toExtensionIds(manifest);
  if (chromeId !== null && firefoxId !== null) {
    return { chrome: toChromeUri(chromeId, id), firefox: toFirefoxUri(firefoxId, { id, firefoxRedirect }) };
  }
  throw new Error(
    'manifest.json: expected "key", from which Chromium derives the redirect URI; `npm run rename` makes one.',
  );
}

/** The redirect URI in a browser with Chromium's engine that knows the extension under this id. */
export function toChromeUri(extensionId: string, providerId: string): string {
  return `https://${extensionId}.chromiumapp.org/${providerId}`;
}

function toFirefoxUri(geckoId: string, { id, firefoxRedirect }: RedirectedProvider): string {
  const hash = createHash('sha1').update(geckoId).digest('hex');
  return toSignInUri(`https://${hash}.extensions.allizom.org/${id}`, { firefoxRedirect });
}

/** The values for the placeholders in a profile's steps; see `Registration` in src/providers/profile.ts. */
export interface Registered {
  readonly redirectUris: { readonly chrome: string; readonly firefox: string };
  readonly origin: string;
  /** The scope of the request; null if there is none. */
  readonly scope: string | null;
}

/** Fills the placeholders of a step in the registration of a profile. */
export function fillStep(step: string, registered: Registered): string {
  return step
    .replaceAll('{redirectUri:chrome}', registered.redirectUris.chrome)
    .replaceAll('{redirectUri:firefox}', registered.redirectUris.firefox)
    .replaceAll('{origin:chrome}', registered.origin)
    .replaceAll('{scopes}', new Intl.ListFormat('en-GB').format(registered.scope?.split(' ') ?? []));
}

/** The public key of a new pair. The private key isn't needed: a store signs with its own. */
export function createPublicKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/**
 * The extension id that Chromium makes of a key: the first 16 bytes of its SHA-256, with the letters a to p as hexadecimal
 * digits.
 */
export function toChromeExtensionId(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex');
  return digest.slice(0, 32).replace(/./g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)));
}

/**
 * Returns lines to print, with what to register so that unpacked builds can sign in: for each provider the redirect URI of
 * each browser. Empty without a provider.
 */
export function describeRedirectUris(
  manifest: ExtensionIdentity,
  providers: readonly RedirectedProvider[],
  browsers: readonly BrowserName[],
): readonly string[] {
  if (providers.length === 0) return [];
  const ids = toExtensionIds(manifest);
  const lines = providers.flatMap((provider) => {
    const targets = toTargets(ids, provider);
    return browsers.map((browser) => {
      const uri = targets.find(({ name }) => name === browser)?.redirectUri;
      return `  ${`${targetTitles[browser]}:`.padEnd(14)}${uri ?? 'unknown, because manifest.json has no "key"'}`;
    });
  });
  return ['Redirect URIs to register with the providers, for unpacked builds:', ...lines];
}

/** Says that a store's build has other redirect URIs, in a line to be printed. */
export const storesDiffer =
  'The Chrome Web Store and Edge Add-ons give the extension other IDs, and so other redirect URIs: see docs/releasing.md.';
