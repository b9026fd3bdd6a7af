// The places where the extension runs, and what identifies it there to a provider.

import { randomUUID } from 'node:crypto';
import {
  type ExtensionIdentity,
  type RedirectedProvider,
  toChromeExtensionId,
  toChromeOrigin,
  toChromeUri,
  toFirefoxUri,
} from '../redirect-uris.ts';
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

/** The ids of an extension, as its browsers know it; null where it is not to be examined. */
export interface ExtensionIds {
  readonly chromeId: string | null;
  readonly firefoxId: string | null;
}

/**
 * The ids of an extension that manifest.json describes. Without `key` there is none for Chromium, because it then depends on
 * the folder of the build.
 */
export function toExtensionIds({
  key,
  browser_specific_settings: settings,
}: ExtensionIdentity): ExtensionIds {
  return { chromeId: key === undefined ? null : toChromeExtensionId(key), firefoxId: settings.gecko.id };
}

/** The targets of a provider, for the extension with these ids. `edgeId` is the id that Edge Add-ons gave to it, or null. */
export function toTargets(
  { chromeId, firefoxId }: ExtensionIds,
  provider: RedirectedProvider,
  edgeId: string | null,
): readonly Target[] {
  return [
    ...(chromeId === null ? [] : [toChromium('chrome', chromeId, provider)]),
    ...(edgeId === null ? [] : [toChromium('edge', edgeId, provider)]),
    ...(firefoxId === null ? [] : [toFirefox(firefoxId, provider)]),
  ];
}

function toChromium(name: TargetName, extensionId: string, { id }: RedirectedProvider): Target {
  return { name, redirectUri: toChromeUri(extensionId, id), origin: toChromeOrigin(extensionId) };
}

function toFirefox(firefoxId: string, provider: RedirectedProvider): Target {
  const redirectUri = toFirefoxUri(firefoxId, provider);
  return { name: 'firefox', redirectUri, origin: `moz-extension://${randomUUID()}` };
}
