// Which versions of a browser can install the extension.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The oldest major version in which manifest.json lets the extension be installed. */
export function oldestVersion(browser: 'chrome' | 'firefox'): number {
  const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../manifest.json'), 'utf8')) as {
    readonly minimum_chrome_version: string;
    readonly browser_specific_settings: { readonly gecko: { readonly strict_min_version: string } };
  };
  const { gecko } = manifest.browser_specific_settings;
  return Number.parseInt(
    browser === 'chrome' ? manifest.minimum_chrome_version : gecko.strict_min_version,
    10,
  );
}

/** The major version in what `--version` prints, such as "Mozilla Firefox 153.1.0esr", or null. */
export function readMajorVersion(printed: string): number | null {
  const major = /(?:^|\s)(\d+)(?:\.|\s|$)/.exec(printed)?.[1];
  return major === undefined ? null : Number(major);
}
