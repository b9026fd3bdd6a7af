// The browsers of this computer: searches the usual places for one that runs and is new enough, and installs one, from the
// system's package or a download.

import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import {
  type Browser,
  BrowserTag,
  detectBrowserPlatform,
  getInstalledBrowsers,
  install,
  resolveBuildId,
} from '@puppeteer/browsers';

/** A browser, and how this search for it goes. */
export interface Search {
  /** The environment variable that names the executable. */
  readonly variable: string;
  readonly title: string;
  /** Paths of its executables on each system, in any folder of programs there; the best first. */
  readonly programs: Readonly<Record<'linux' | 'darwin' | 'win32', readonly string[]>>;
  /** Name of the package in Debian; null if Debian has none. */
  readonly debianPackage: string | null;
  /** Its name in @puppeteer/browsers; null if that package can't download it. */
  readonly download: Browser | null;
  /** The oldest major version in which the extension can be installed. */
  readonly oldest: number;
  readonly log: (line: string) => void;
}

/** The path of an executable in a usual place; null if there is none. */
export async function findInstalled(product: Search): Promise<string | null> {
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
 * The major version in what a program prints, such as "Mozilla Firefox 153.1.0esr", or null if it does not run, like a
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

/** Installs the Debian or Ubuntu package, if there is one and this process may. */
export async function installPackage(product: Search): Promise<void> {
  if (product.debianPackage === null || !canUseApt()) return;
  product.log(`Installing ${product.debianPackage} with apt-get, because no ${product.title} was found …`);
  // `apt-get update` does not wait for another apt's lock, so our own processes take turns with `flock`. If it still
  // fails, the existing package lists may be good enough.
  const script = `apt-get update -qq; apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"`;
  const lock = join(tmpdir(), 'latchkey-apt.lock');
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

/** The path of an executable that was downloaded before; null if there is none. */
export async function findDownloaded(product: Search): Promise<string | null> {
  const downloaded = await getInstalledBrowsers({ cacheDir: downloadFolder() });
  for (const { browser, executablePath } of downloaded.toReversed()) {
    if (browser === product.download && (await isUsable(executablePath, product))) return executablePath;
  }
  return null;
}

/** Downloads the browser, if there is one for this system. */
export async function download(product: Search): Promise<void> {
  const platform = detectBrowserPlatform();
  const browser = product.download;
  if (platform === undefined || browser === null) return;
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
