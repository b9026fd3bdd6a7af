// A browser that alone sees a folder of this test as the one where an administrator on Linux puts policies. No other
// browser on this computer is affected, so it may be told to install something.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { openWorkerFolder } from './run-folder.ts';

export interface PrivatePolicies {
  /** A program that starts the browser with these policies. */
  readonly executablePath: string;
  /** The folder for policies. */
  readonly folder: string;
}

const executablePath = inject('executablePath');

/** The folder of the documents for administrators. */
const place = {
  chrome: executablePath.includes('chromium')
    ? '/etc/chromium/policies/managed'
    : '/etc/opt/chrome/policies/managed',
  firefox: '/etc/firefox/policies',
}[inject('browserName')];

/**
 * Runs the program in the last parameter, which sees the folder in the third one at the path in the second. Everything
 * that is mounted goes away with it.
 */
const inPrivate = `mount -t tmpfs tmpfs "$0" && mkdir "$0/upper" "$0/work" &&
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$0/upper,workdir=$0/work" /etc &&
mkdir -p "$1" && mount --bind "$2" "$1" && shift 2 && exec "$@"`;

/** Whether this process may give a browser a folder of its own: on Linux as root, and not in every container. */
export const canHidePolicies = process.platform === 'linux' && process.getuid?.() === 0 && canMount();

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', inPrivate, '/mnt', place, '/mnt', 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** Creates an empty folder for policies, and the program. Both are removed after the test. */
export async function openPrivatePolicies(): Promise<PrivatePolicies> {
  const own = await mkdtemp(join(openWorkerFolder(), 'policies-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  const [folder, scratch, program] = [join(own, 'managed'), join(own, 'scratch'), join(own, 'browser')];
  await mkdir(folder);
  await mkdir(scratch);
  const quoted = [inPrivate, scratch, place, folder, executablePath].map((each) => `'${each}'`);
  await writeFile(program, `#!/bin/sh\nexec unshare --mount sh -c ${quoted.join(' ')} "$@"\n`);
  await chmod(program, 0o755);
  return { executablePath: program, folder };
}
