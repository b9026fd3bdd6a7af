// Installs a browser: the system's package, or a download.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  BrowserTag,
  detectBrowserPlatform,
  getInstalledBrowsers,
  install,
  resolveBuildId,
} from '@puppeteer/browsers';
import { isUsable, type Search } from './installed.ts';

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
