// The places where the extension runs, and what identifies it there to a provider.

import { randomUUID } from 'node:crypto';
import type { Provider } from '../../src/config/provider.ts';
import { type ExtensionIdentity, redirectUris } from '../redirect-uris.ts';
import type { TargetName } from './finding.ts';

/** One place where the extension runs. */
export interface Target {
  readonly name: TargetName;
  /** The exact text to register with the provider. */
  readonly redirectUri: string;
  /** The `Origin` of the worker's requests. In Firefox an example, because each installation has another. */
  readonly origin: string;
}

export const targetTitles: Readonly<Record<TargetName, string>> = {
  chrome: 'Chrome, Edge',
  edge: 'Edge Add-ons',
  firefox: 'Firefox',
};

/**
 * The targets of a provider. Without `key` in manifest.json there is none for Chromium, whose id then depends on the
 * folder of the build. `edgeId` is the id that Edge Add-ons gave to the extension, or null.
 */
export function toTargets(
  manifest: ExtensionIdentity,
  { id: providerId }: Pick<Provider, 'id'>,
  edgeId: string | null,
): readonly Target[] {
  // Firefox's does not depend on the key.
  const { chrome, firefox } = redirectUris({ ...manifest, key: manifest.key ?? '' }, providerId);
  return [
    ...(manifest.key === undefined ? [] : [toChromium('chrome', chrome)]),
    ...(edgeId === null ? [] : [toChromium('edge', `https://${edgeId}.chromiumapp.org/${providerId}`)]),
    { name: 'firefox', redirectUri: firefox, origin: `moz-extension://${randomUUID()}` },
  ];
}

function toChromium(name: TargetName, redirectUri: string): Target {
  const [extensionId = ''] = new URL(redirectUri).hostname.split('.');
  return { name, redirectUri, origin: `chrome-extension://${extensionId}` };
}
