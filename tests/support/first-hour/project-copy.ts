// A copy of the project in a temporary folder, with the packages that are installed here, and the commands that run in it.

import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const original = resolve(import.meta.dirname, '../../..');

type Json = Readonly<Record<string, unknown>>;

/** Copies the files that git knows, or would add, into a folder whose path has a blank. */
export async function copyProject() {
  const home = await mkdtemp(join(tmpdir(), 'latchkey first hour-'));
  const root = join(home, 'my extension');
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: original,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter((name) => name !== '')) {
    await cp(join(original, file), join(root, file), { recursive: true });
  }
  await linkPackages(root);
  /** Replaces a file's text. Throws if `edit` changes nothing. */
  const change = async (file: string, edit: (text: string) => string) => {
    const before = await readFile(join(root, file), 'utf8');
    const after = edit(before);
    if (after === before) throw new Error(`The step changes nothing in ${file}.`);
    await writeFile(join(root, file), after);
  };
  const changeJson = (file: string, edit: (json: Json) => Json) =>
    change(file, (text) => JSON.stringify(edit(JSON.parse(text) as Json), null, 2));
  return {
    root,
    /** Runs a command line in the copy. Throws with its output if it fails. */
    run: async (commandLine: string) => void (await run(commandLine, root)),
    read: (file: string) => readFileSync(join(root, file), 'utf8'),
    async write(file: string, text: string) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    },
    change,
    changeJson,
    /** Does what `npm install <name>` does, with a package that's already here as a dependency of another one. */
    async addPackage(name: string) {
      const installed = await readFile(join(original, 'node_modules', name, 'package.json'), 'utf8');
      const { version } = JSON.parse(installed) as { readonly version: string };
      await changeJson('package.json', ({ dependencies, ...rest }) => ({
        ...rest,
        dependencies: { ...(dependencies as Json), [name]: `^${version}` },
      }));
    },
    /** The paths of all files in a folder, relative to the copy. */
    list: (folder: string): readonly string[] =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

/** A folder of links, and not a link to the folder, because caches are kept in it. */
export async function linkPackages(root: string): Promise<void> {
  const packages = join(root, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(original, 'node_modules'))) {
    if (name === '.cache' || name.startsWith('.vite')) continue;
    await symlink(join(original, 'node_modules', name), join(packages, name), 'junction');
  }
}

/** Runs a command line in `cwd`, with `environment` besides. Returns its output, and throws with it if it fails. */
export function run(commandLine: string, cwd: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(commandLine, { cwd, shell: true, env: { ...ordinaryEnvironment(), ...environment } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    child.once('error', fail);
    child.once('close', (code) => {
      if (code === 0) done(output);
      else fail(new Error(`${commandLine.trim()} failed (${code}):\n${output.slice(-6_000)}`));
    });
  });
}

/** The environment without what vitest adds for its own workers. */
function ordinaryEnvironment(): NodeJS.ProcessEnv {
  const own = /^(?:VITE|LATCHKEY|NODE_ENV$|TEST$|MODE$|DEV$|PROD$|SSR$|BASE_URL$|npm_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
