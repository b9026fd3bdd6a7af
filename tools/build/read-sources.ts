// Reads the sources that addons.mozilla.org asks for.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from './zip.ts';

/**
 * Reads every file of the project at `root` that git knows, and no other, because an untracked file may be a secret. Throws an
 * Error without git, and for a folder that git lists as if it were a file: a link to one, or a submodule.
 */
export function readSourceFiles(root: string): Files {
  // Git also knows files that are deleted here.
  const files = runGit(root, 'ls-files', '-z').filter((file) => existsSync(join(root, file)));
  return new Map(files.map((file) => [file, readFileSync(join(root, file))]));
}

/**
 * The files below `root` that are new or changed since the last commit, relative to the repository. A new folder is listed by
 * its name alone. Throws an Error without git.
 */
export function listUncommitted(root: string): readonly string[] {
  const states = runGit(root, 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', '.');
  // Two letters and a blank stand before each path.
  return states.map((state) => state.slice(3));
}

function runGit(root: string, ...args: readonly string[]): readonly string[] {
  try {
    const listed = execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listed.split('\0').filter((file) => file !== '');
  } catch {
    throw new Error(
      "Git doesn't list the sources that addons.mozilla.org asks for. Run `npm run package` in a git checkout.",
    );
  }
}
