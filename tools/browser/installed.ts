// Searches the usual places of this computer for a browser that runs and is new enough.

import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { access, constants, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Browser } from '@puppeteer/browsers';

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
export async function isUsable(path: string, { oldest, log }: Search): Promise<boolean> {
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
