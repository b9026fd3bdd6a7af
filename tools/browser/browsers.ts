// Finds a browser to run the extension in, or installs one: an installed browser first, then the system's package, then
// a download.

import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, open, realpath, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  Browser,
  BrowserTag,
  computeExecutablePath,
  detectBrowserPlatform,
  getInstalledBrowsers,
  install,
  resolveBuildId,
} from '@puppeteer/browsers';
import { oldestVersion, readMajorVersion } from './version.ts';

const run = promisify(execFile);

export type BrowserName = 'chrome' | 'firefox';
export const browserNames: readonly BrowserName[] = ['chrome', 'firefox'];

/** A program to open the extension in. `chrome` is whichever browser with Chromium's engine is there. */
export type ProductName = BrowserName | 'edge';

/** The browser whose build a program runs. */
export function toBrowserName(product: ProductName): BrowserName {
  return product === 'edge' ? 'chrome' : product;
}

interface Product {
  /** The environment variable that names the executable. */
  readonly variable: string;
  readonly title: string;
  /** Names of the executables on Linux. */
  readonly commands: readonly string[];
  /** Names of the applications on macOS. */
  readonly applications: readonly string[];
  /** Paths of the executables on Windows, relative to the folders of installed programs. */
  readonly programs: readonly string[];
  /** Name of the package in Debian; null if Debian has none. */
  readonly debianPackage: string | null;
  /** Its name in @puppeteer/browsers; null if that cannot download it. */
  readonly download: Browser | null;
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

/** A product, and how this search for it goes. */
interface Search extends Product {
  /** The oldest major version in which the extension can be installed. */
  readonly oldest: number;
  readonly log: (line: string) => void;
}

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
        ? 'but no program that runs is there'
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

async function findInstalled(product: Search): Promise<string | null> {
  for (const path of usualPlaces(product)) {
    if (!(await isSnap(path)) && (await isUsable(path, product))) return path;
  }
  return null;
}

function usualPlaces(product: Product): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
        product.applications.map((name) =>
          // The executable of Firefox Developer Edition is called `firefox` too.
          join(folder, `${name}.app`, 'Contents', 'MacOS', name.startsWith('Firefox') ? 'firefox' : name),
        ),
      );
    case 'win32':
      return ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((variable) => {
        const folder = process.env[variable];
        return folder ? product.programs.map((program) => join(folder, program)) : [];
      });
    default: {
      const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
      return product.commands.flatMap((command) => folders.map((folder) => join(folder, command)));
    }
  }
}

/** Whether the program runs, and is new enough for the extension. */
async function isUsable(path: string, { oldest, log }: Search): Promise<boolean> {
  const version = await findVersion(path);
  if (version === null || version === 'unknown' || version >= oldest) return version !== null;
  log(`Skipping ${path}: it is version ${version}, and the extension needs ${oldest} or later.`);
  return false;
}

/** The major version of a program, or null if it does not run. A launcher without its browser does not. */
async function findVersion(path: string): Promise<number | 'unknown' | null> {
  try {
    await access(path, constants.X_OK);
    // On Windows `--version` opens a browser window instead.
    if (process.platform === 'win32') return 'unknown';
    const { stdout } = await run(path, ['--version'], { timeout: 20_000 });
    return readMajorVersion(stdout) ?? 'unknown';
  } catch {
    return null; // Missing or not executable: the caller tries the next place.
  }
}

/**
 * Whether the path leads to a snap. A snap has its own /tmp and reads only some folders, so it finds neither the profile
 * nor the extension.
 */
async function isSnap(path: string): Promise<boolean> {
  const target = await realpath(path).catch(() => path);
  if (target === '/usr/bin/snap' || target.startsWith('/snap/')) return true;
  const file = await open(target).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    return start.startsWith('#!') && start.includes('/snap/');
  } finally {
    await file.close();
  }
}

/** Installs the Debian or Ubuntu package, if this process may. Returns null if no working browser results. */
async function installPackage(product: Search): Promise<string | null> {
  if (product.debianPackage === null || !(await canUseApt())) return null;
  product.log(`Installing ${product.debianPackage} with apt-get, because no ${product.title} was found …`);
  // `apt-get update` does not wait for another apt's lock, so our own processes take turns with `flock`. If it still
  // fails, the existing package lists may do.
  const script = `apt-get update -qq; apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"`;
  const lock = join(tmpdir(), 'latchkey-apt.lock');
  await run('flock', [lock, 'sh', '-c', script, 'sh', product.debianPackage], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return findInstalled(product);
}

async function canUseApt(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return isThere('/usr/bin/apt-get');
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

async function download(product: Search): Promise<string | null> {
  const platform = detectBrowserPlatform();
  const browser = product.download;
  if (platform === undefined || browser === null) return null;
  const buildId = await resolveBuildId(browser, platform, BrowserTag.STABLE);
  const cacheDir = downloadFolder();
  product.log(`Downloading ${product.title} ${buildId} to ${cacheDir} …`);
  await mkdir(cacheDir, { recursive: true });
  // Unpacked in a folder of its own, then moved in one step, so two downloads at once cannot collide.
  const staging = await mkdtemp(join(cacheDir, 'unpacking-'));
  try {
    const installDeps = await canUseApt();
    const unpacked = await install({ browser, buildId, platform, cacheDir: staging, installDeps });
    const folder = join(cacheDir, relative(staging, unpacked.path));
    await mkdir(dirname(folder), { recursive: true });
    await rename(unpacked.path, folder).catch(async (error: unknown) => {
      if (!(await isThere(folder))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  const executable = computeExecutablePath({ browser, buildId, platform, cacheDir });
  if (await isUsable(executable, product)) return executable;
  throw new Error(`${executable} does not run here, a system library may be missing`);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The last line that a failed command printed, or the error's message. */
function lastLine(error: unknown): string {
  const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const text = printed.trim() || (error instanceof Error ? error.message : String(error));
  return text.split('\n').at(-1)?.trim() ?? text;
}
