// Which versions of a browser can install the extension.

import { readManifest } from '../build/read-manifest.ts';

/**
 * The oldest major version in which manifest.json lets the extension be installed. Throws a `FileError`, as `readManifest`
 * does.
 */
export function oldestVersion(browser: 'chrome' | 'firefox'): number {
  const { minimum_chrome_version: chrome, browser_specific_settings: settings } = readManifest();
  return Number.parseInt(browser === 'chrome' ? chrome : settings.gecko.strict_min_version, 10);
}

/** The major version in what `--version` prints, such as "Mozilla Firefox 153.1.0esr", or null. */
export function readMajorVersion(printed: string): number | null {
  const major = /(?:^|\s)(\d+)(?:\.|\s|$)/.exec(printed)?.[1];
  return major === undefined ? null : Number(major);
}
