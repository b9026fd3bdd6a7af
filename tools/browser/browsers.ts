// Finds a browser to run the extension in, or installs one: an installed browser first, then the system's package, then
// a download.

import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  Browser,
  BrowserTag,
  detectBrowserPlatform,
  getInstalledBrowsers,
  install,
  resolveBuildId,
} from '@puppeteer/browsers';
import { readManifest } from '../build/read-manifest.ts';

export type BrowserName = 'chrome' | 'firefox';
export const browserNames: readonly BrowserName[] = ['chrome', 'firefox'];

/** Chromium and Edge run the same build as Chrome, so each of them counts as `chrome`. */
const products: Readonly<Record<BrowserName, Omit<Search, 'oldest' | 'log'>>> = {
  chrome: {
    variable: 'CHROME_PATH',
    title: 'Chromium',
    programs: {
      linux: [
        'chromium',
        'chromium-browser',
        'google-chrome',
        'google-chrome-stable',
        'microsoft-edge',
        'microsoft-edge-stable',
      ],
      darwin: [
        'Chromium.app/Contents/MacOS/Chromium',
        'Google Chrome.app/Contents/MacOS/Google Chrome',
        'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
        'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      ],
      win32: [
        'Chromium\\Application\\chrome.exe',
        'Google\\Chrome\\Application\\chrome.exe',
        'Microsoft\\Edge\\Application\\msedge.exe',
      ],
    },
    debianPackage: 'chromium',
    download: Browser.CHROME,
  },
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
  name: BrowserName,
  { log }: { readonly log: (line: string) => void },
): Promise<string> {
  const said = new Set<string>();
  const logOnce = (line: string) => {
    if (!said.has(line)) log(line);
    said.add(line);
  };
  const product: Search = { ...products[name], oldest: oldestVersion(name), log: logOnce };
  const { variable, title, oldest } = product;
  const chosen = process.env[variable];
  if (chosen) {
    const version = await findVersion(chosen);
    if (version !== null && version >= oldest) return chosen;
    const problem =
      version === null
        ? "which can't be started"
        : `which is version ${version}, and the extension needs ${oldest} or later`;
    throw new Error(`${variable} is set to ${chosen}, ${problem}: correct it or unset it.`);
  }
  const failures: string[] = [];
  for (const provide of [() => Promise.resolve(), installPackage, download]) {
    await provide(product).catch((error: unknown) => {
      // The last line says why.
      failures.push(String(error).trim().split('\n').at(-1) ?? '');
    });
    // Also after a failure, because another process may have installed it at the same time.
    const found = (await findInstalled(product)) ?? (await findDownloaded(product));
    if (found !== null) return found;
  }
  throw new Error(
    `${title} ${oldest} or later wasn't found and couldn't be installed` +
      (failures.length > 0 ? ` (${failures.join('; ')})` : '') +
      `: install it, or set ${variable} to its executable.`,
  );
}

/** A browser, and how this search for it goes. */
interface Search {
  readonly variable: string;
  readonly title: string;
  /** Paths of its executables on each system, in any folder of programs there; the best first. */
  readonly programs: Readonly<Record<'linux' | 'darwin' | 'win32', readonly string[]>>;
  readonly debianPackage: string;
  readonly download: Browser;
  readonly oldest: number;
  readonly log: (line: string) => void;
}

async function findInstalled(product: Search): Promise<string | null> {
  const { platform, env } = process;
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  const folders: readonly (string | undefined)[] = {
    linux: (env['PATH'] ?? '').split(delimiter),
    darwin: ['/Applications', join(homedir(), 'Applications')],
    win32: [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LocalAppData']],
  }[system];
  for (const program of product.programs[system]) {
    for (const folder of folders) {
      if (!folder) continue;
      const path = join(folder, program);
      if (!(await isSnap(path)) && (await isUsable(path, product))) return path;
    }
  }
  return null;
}

/** Whether the program runs, and is new enough for the extension. */
async function isUsable(path: string, { oldest, log }: Search): Promise<boolean> {
  const version = await findVersion(path);
  if (version === null || version >= oldest) return version !== null;
  log(`Skipping ${path}: it is version ${version}, and the extension needs ${oldest} or later.`);
  return false;
}

/**
 * The major version in what a program prints, such as "Mozilla Firefox 153.1.0esr", or null if it doesn't run, like a
 * launcher without its browser.
 */
export async function findVersion(path: string): Promise<number | null> {
  try {
    await access(path, constants.X_OK);
    // On Windows `--version` opens a browser window instead.
    if (process.platform === 'win32') return Infinity;
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 20_000 });
    return Number(/(?:^|\s)(\d+)(?:\.|\s|$)/.exec(stdout)?.[1] ?? Infinity);
  } catch {
    return null; // Missing or not executable: the caller tries the next place.
  }
}

/**
 * Whether the path leads to a snap. A snap has its own /tmp and reads only some folders, so it finds neither the profile
 * nor the extension.
 */
async function isSnap(path: string): Promise<boolean> {
  const target = await realpath(path).catch(() => null);
  if (target === null || target === '/usr/bin/snap' || target.startsWith('/snap/')) return target !== null;
  const start = await text(createReadStream(target, { encoding: 'latin1', end: 4095 })).catch(() => '');
  return start.startsWith('#!') && start.includes('/snap/');
}

async function installPackage(product: Search): Promise<void> {
  if (!canUseApt()) return;
  product.log(`Installing ${product.debianPackage} with apt-get, because no ${product.title} was found …`);
  // `apt-get update` doesn't wait for another apt's lock, so our own processes take turns with `flock`. If it still
  // fails, the existing package lists may be good enough.
  const script = `apt-get update -qq; apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"`;
  // In a folder of our own: anyone may have put a link at a known path in the folder for temporary files.
  await mkdir(downloadFolder(), { recursive: true });
  const lock = join(downloadFolder(), 'latchkey-apt.lock');
  await promisify(execFile)('flock', [lock, 'sh', '-c', script, 'sh', product.debianPackage], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  });
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** The default folder of @puppeteer/browsers, so projects share a download. */
function downloadFolder(): string {
  return process.env['PUPPETEER_CACHE_DIR'] || join(homedir(), '.cache', 'puppeteer');
}

async function findDownloaded(product: Search): Promise<string | null> {
  const downloaded = await getInstalledBrowsers({ cacheDir: downloadFolder() });
  for (const { browser, executablePath } of downloaded.toReversed()) {
    if (browser === product.download && (await isUsable(executablePath, product))) return executablePath;
  }
  return null;
}

async function download(product: Search): Promise<void> {
  const platform = detectBrowserPlatform();
  const browser = product.download;
  if (platform === undefined) return;
  const buildId = await resolveBuildId(browser, platform, BrowserTag.STABLE);
  const cacheDir = downloadFolder();
  product.log(`Downloading ${product.title} ${buildId} to ${cacheDir} …`);
  await mkdir(cacheDir, { recursive: true });
  // Unpacked in a folder of its own, then moved in one step: an interrupted download leaves nothing that looks complete.
  const staging = await mkdtemp(join(cacheDir, 'unpacking-'));
  try {
    const installDeps = canUseApt();
    const { path } = await install({ browser, buildId, platform, cacheDir: staging, installDeps });
    const folder = join(cacheDir, relative(staging, path));
    await mkdir(dirname(folder), { recursive: true });
    await rename(path, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
