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
  /** The id that Edge Add-ons gave to it. */
  readonly edgeId: string | null;
  readonly firefoxId: string | null;
  /** Set for an extension that manifest.json describes without `key`. */
  readonly lacksKey?: boolean;
}

/**
 * The ids of an extension that manifest.json describes. Without `key` there is none for Chromium, because it then depends on
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
    id === null ? [] : [{ name, redirectUri: toChromeUri(id, provider.id), origin: toChromeOrigin(id) }];
  const targets = [...inChromium('chrome', chromeId), ...inChromium('edge', edgeId)];
  if (firefoxId === null) return targets;
  const origin = `moz-extension://${randomUUID()}`;
  return [...targets, { name: 'firefox', redirectUri: toFirefoxUri(firefoxId, provider), origin }];
}
