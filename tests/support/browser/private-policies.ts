// A browser to which a folder of this test looks like the one where an administrator on Linux puts policies. No other
// browser on this computer is affected, so a policy may even install something.

import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { BrowserName } from '../../../tools/browser/browsers.ts';
import { skipIfLacking } from '../machine.ts';

export interface PrivatePolicies {
  /** A program that starts the browser with these policies. */
  readonly executablePath: string;
  /** The folder for policies, which is empty. */
  readonly folder: string;
}

/** Where a browser on Linux looks for policies. */
function findPolicyFolder(name: BrowserName, executablePath: string): string {
  if (name === 'firefox') return '/etc/firefox/policies';
  if (executablePath.includes('chromium')) return '/etc/chromium/policies/managed';
  return `/etc/opt/${executablePath.includes('edge') ? 'edge' : 'chrome'}/policies/managed`;
}

/**
 * Runs the program in the last parameter, which sees the folder in the third one at the path in the second. The mounts
 * go away when it ends.
 */
const inPrivate = `mount -t tmpfs tmpfs "$0" && mkdir "$0/upper" "$0/work" &&
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$0/upper,workdir=$0/work" /etc &&
mkdir -p "$1" && mount --bind "$2" "$1" && shift 2 && exec "$@"`;

/** Where the tests of policies apply. */
export const onlyLinux = 'The tests of policies know where Linux keeps them.';

/** Skips the test where it cannot give a browser a folder that no other browser sees. */
export function expectPrivatePolicies(context: Pick<TestContext, 'skip'>): void {
  context.skip(process.platform !== 'linux', onlyLinux);
  const obstacle = 'It may not mount folders: run it as root, in a container with `--privileged`.';
  skipIfLacking(context, canHidePolicies() ? null : obstacle);
}

/** Whether this process may give a browser a folder of its own: on Linux as root, and not in every container. */
function canHidePolicies(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const mounted = ['/mnt', '/etc/latchkey-test', '/mnt'];
    execFileSync('/usr/bin/unshare', ['--mount', 'sh', '-c', inPrivate, ...mounted, 'true'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** Creates the folder and the program in `parent`. */
export async function openPrivatePolicies(
  name: BrowserName,
  executablePath: string,
  parent: string,
): Promise<PrivatePolicies> {
  const [folder, scratch] = [join(parent, 'policies'), join(parent, 'mounted')];
  await mkdir(folder);
  await mkdir(scratch);
  const parameters = [inPrivate, scratch, findPolicyFolder(name, executablePath), folder, executablePath];
  const quoted = parameters.map((each) => `'${each}'`).join(' ');
  return { executablePath: await writeProgram(parent, `exec unshare --mount sh -c ${quoted}`), folder };
}

/** Writes a program into `folder` that runs a command line with its own parameters. Returns its path. */
export async function writeProgram(folder: string, commandLine: string): Promise<string> {
  const program = join(folder, 'browser');
  await writeFile(program, `#!/bin/sh\n${commandLine} "$@"\n`, { mode: 0o755 });
  return program;
}
