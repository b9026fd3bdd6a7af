// Finds a browser to run the extension in, or installs one: an installed browser first, then the system's package, then
// a download.

import { Browser } from '@puppeteer/browsers';
import { download, findDownloaded, installPackage } from './install.ts';
import { findInstalled, findVersion, type Product, type Search } from './installed.ts';
import { oldestVersion } from './version.ts';

export type BrowserName = 'chrome' | 'firefox';
export const browserNames: readonly BrowserName[] = ['chrome', 'firefox'];

/** A program to open the extension in. `chrome` is whichever browser with Chromium's engine is there. */
export type ProductName = BrowserName | 'edge';

/** The browser whose build a program runs. */
export function toBrowserName(product: ProductName): BrowserName {
  return product === 'edge' ? 'chrome' : product;
}

/** Chromium and Edge run the same build as Chrome, so each of them counts as `chrome`. */
const products: Readonly<Record<ProductName, Product>> = {
  chrome: {
    variable: 'CHROME_PATH',
    title: 'Chromium',
    commands: [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'microsoft-edge',
      'microsoft-edge-stable',
    ],
    applications: ['Chromium', 'Google Chrome', 'Google Chrome for Testing', 'Microsoft Edge'],
    programs: [
      'Chromium\\Application\\chrome.exe',
      'Google\\Chrome\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ],
    debianPackage: 'chromium',
    download: Browser.CHROME,
  },
  edge: {
    variable: 'EDGE_PATH',
    title: 'Microsoft Edge',
    commands: ['microsoft-edge', 'microsoft-edge-stable'],
    applications: ['Microsoft Edge'],
    programs: ['Microsoft\\Edge\\Application\\msedge.exe'],
    debianPackage: null,
    download: null,
  },
  firefox: {
    variable: 'FIREFOX_PATH',
    title: 'Firefox',
    commands: ['firefox', 'firefox-esr', 'firefox-developer-edition'],
    applications: ['Firefox', 'Firefox Developer Edition'],
    programs: ['Mozilla Firefox\\firefox.exe', 'Firefox Developer Edition\\firefox.exe'],
    debianPackage: 'firefox-esr',
    download: Browser.FIREFOX,
  },
};

/** No browser could be found or installed. The message is one sentence that says what to do. */
export class BrowserMissingError extends Error {
  override readonly name = 'BrowserMissingError';
}

/** Whether this computer can show a window. */
export function hasDisplay(): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/**
 * Returns the path of an executable that runs. Calls `log` before it installs something.
 * Throws {@link BrowserMissingError}.
 */
export async function findBrowser(
  name: ProductName,
  { log }: { readonly log: (line: string) => void },
): Promise<string> {
  const product: Search = { ...products[name], oldest: oldestVersion(toBrowserName(name)), log };
  const chosen = process.env[product.variable];
  if (chosen) {
    const version = await findVersion(chosen);
    if (version === 'unknown' || (version !== null && version >= product.oldest)) return chosen;
    const problem =
      version === null
        ? 'which cannot be started'
        : `which is version ${version}, and the extension needs ${product.oldest} or later`;
    throw new BrowserMissingError(
      `${product.variable} is set to ${chosen}, ${problem}: correct it or unset it.`,
    );
  }
  const found = (await findInstalled(product)) ?? (await findDownloaded(product));
  if (found !== null) return found;

  const attempts: string[] = [];
  for (const [way, attempt] of [
    ['the system package', () => installPackage(product)],
    ['the download', () => download(product)],
  ] as const) {
    try {
      const installed = await attempt();
      if (installed !== null) return installed;
    } catch (error) {
      attempts.push(`${way}: ${lastLine(error)}`);
    }
  }
  throw new BrowserMissingError(
    `${product.title} ${product.oldest} or later was not found and could not be installed` +
      (attempts.length > 0 ? ` (${attempts.join('; ')})` : '') +
      `: install it, or set ${product.variable} to its executable.`,
  );
}

/** The last line that a failed command printed, or the error's message. */
function lastLine(error: unknown): string {
  const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const text = printed.trim() || (error instanceof Error ? error.message : String(error));
  return text.split('\n').at(-1)?.trim() ?? text;
}
