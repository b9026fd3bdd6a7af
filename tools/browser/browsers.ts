// Finds a browser to run the extension in, or installs one: an installed browser first, then the system's package, then
// a download.

import { Browser } from '@puppeteer/browsers';
import {
  download,
  findDownloaded,
  findInstalled,
  findVersion,
  installPackage,
  type Search,
} from './installed.ts';
import { readManifest } from '../build/read-manifest.ts';

export type BrowserName = 'chrome' | 'firefox';
export const browserNames: readonly BrowserName[] = ['chrome', 'firefox'];

/** A program to open the extension in. `chrome` is whichever browser with Chromium's engine is there. */
export type ProductName = BrowserName | 'edge';

/** The browser whose build a program runs. */
export function toBrowserName(product: ProductName): BrowserName {
  return product === 'edge' ? 'chrome' : product;
}

const edge = {
  variable: 'EDGE_PATH',
  title: 'Microsoft Edge',
  programs: {
    linux: ['microsoft-edge', 'microsoft-edge-stable'],
    darwin: ['Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
    win32: ['Microsoft\\Edge\\Application\\msedge.exe'],
  },
  debianPackage: null,
  download: null,
};

/** Chromium and Edge run the same build as Chrome, so each of them counts as `chrome`. */
const products: Readonly<Record<ProductName, Omit<Search, 'oldest' | 'log'>>> = {
  chrome: {
    variable: 'CHROME_PATH',
    title: 'Chromium',
    programs: {
      linux: [
        'chromium',
        'chromium-browser',
        'google-chrome',
        'google-chrome-stable',
        ...edge.programs.linux,
      ],
      darwin: [
        'Chromium.app/Contents/MacOS/Chromium',
        'Google Chrome.app/Contents/MacOS/Google Chrome',
        'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
        ...edge.programs.darwin,
      ],
      win32: [
        'Chromium\\Application\\chrome.exe',
        'Google\\Chrome\\Application\\chrome.exe',
        ...edge.programs.win32,
      ],
    },
    debianPackage: 'chromium',
    download: Browser.CHROME,
  },
  edge,
  firefox: {
    variable: 'FIREFOX_PATH',
    title: 'Firefox',
    programs: {
      linux: ['firefox', 'firefox-esr', 'firefox-developer-edition'],
      darwin: ['Firefox.app/Contents/MacOS/firefox', 'Firefox Developer Edition.app/Contents/MacOS/firefox'],
      win32: ['Mozilla Firefox\\firefox.exe', 'Firefox Developer Edition\\firefox.exe'],
    },
    debianPackage: 'firefox-esr',
    download: Browser.FIREFOX,
  },
};

/** The oldest major version in which manifest.json lets the extension be installed. Throws as `readManifest` does. */
export function oldestVersion(browser: BrowserName): number {
  const { minimum_chrome_version: chrome, browser_specific_settings: settings } = readManifest();
  return Number.parseInt(browser === 'chrome' ? chrome : settings.gecko.strict_min_version, 10);
}

/** Whether this computer can show a window. */
export function hasDisplay(): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/**
 * Returns the path of an executable that runs. Calls `log` before it installs something. Throws an Error of one sentence that
 * says what to do.
 */
export async function findBrowser(
  name: ProductName,
  { log }: { readonly log: (line: string) => void },
): Promise<string> {
  const said = new Set<string>();
  const logOnce = (line: string) => {
    if (!said.has(line)) log(line);
    said.add(line);
  };
  const product: Search = { ...products[name], oldest: oldestVersion(toBrowserName(name)), log: logOnce };
  const { variable, title, oldest } = product;
  const chosen = process.env[variable];
  if (chosen) {
    const version = await findVersion(chosen);
    if (version !== null && version >= oldest) return chosen;
    const problem =
      version === null
        ? 'which cannot be started'
        : `which is version ${version}, and the extension needs ${oldest} or later`;
    throw new Error(`${variable} is set to ${chosen}, ${problem}: correct it or unset it.`);
  }
  const failures: string[] = [];
  for (const install of [() => Promise.resolve(), installPackage, download]) {
    await install(product).catch((error: unknown) => {
      // The last line says why.
      failures.push(String(error).trim().split('\n').at(-1) ?? '');
    });
    // Also after a failure, because another process may have installed it at the same time.
    const found = (await findInstalled(product)) ?? (await findDownloaded(product));
    if (found !== null) return found;
  }
  throw new Error(
    `${title} ${oldest} or later was not found and could not be installed` +
      (failures.length > 0 ? ` (${failures.join('; ')})` : '') +
      `: install it, or set ${variable} to its executable.`,
  );
}
