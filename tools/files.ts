// `latchkey files`: Latchkey's worker and its script for pages as files, for an extension without a bundler.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, posix, relative, resolve } from 'node:path';
import type { InlineConfig } from 'vite';
import type { Config } from '../src/config/config.ts';
import { formatPath } from '../src/config/config-error.ts';
import { isObject } from '../src/session/shape.ts';
import { type BrowserName, browserNames } from './browser/browsers.ts';
import { builtConfig, nativeBrowser } from './build/plugins.ts';
import { parseConfig } from './build/read-config.ts';
import { FileError, readJson, readText, root as project, toOwnScript } from './build/read-text.ts';
import { runBuild } from './build.ts';
import { readOptions, runIfStarted } from './command.ts';
import { findNamedFiles, isFile } from './library/check-build.ts';
import { oldest, toGuestManifest } from './library/guest-manifest.ts';

export interface FilesOptions {
  readonly root: string;
  /** The folder to write, and the configuration's file; relative to `root`. */
  readonly out: string;
  readonly config: string;
}

/** The scripts: their sources, and how an extension loads them. */
const scripts = [
  // As an ordinary script, for `importScripts` or `background.scripts`. Its exports are members of the global `latchkey`.
  { entry: 'src/library/worker.ts', fileName: 'worker.js', format: 'iife' },
  // As a module, for the pages.
  { entry: 'src/library/session.ts', fileName: 'session.js', format: 'es' },
] as const;

/**
 * Writes the scripts with the configuration in them, and for each browser the extension's manifest with what Latchkey needs. Returns
 * the paths, relative to `root`. Throws a `FileError` for a mistake in the configuration, and for a file that the manifest
 * names and that isn't there.
 */
export async function writeFiles({ root, out, config: path }: FilesOptions): Promise<readonly string[]> {
  const config = parseConfig(readText(path, root), path, root);
  const manifest = readJson('manifest.json', root);
  if (!isObject(manifest)) throw new FileError(['manifest.json: expected an object']);
  const written = [...scripts.map(({ fileName }) => fileName), ...browserNames.map(toManifestName)].map(
    (name) => posix.join(out.replaceAll('\\', '/'), name),
  );
  expectFiles(manifest, root, written);
  const folder = resolve(root, out);
  const manifests = browserNames.map((browser) => {
    const built = { ...manifest, ...toGuestManifest(manifest, config, { browser }) };
    return [toManifestName(browser), `${JSON.stringify(built, null, 2)}\n`] as const;
  });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const script of scripts) await runBuild(toSettings(script, config, folder), 'production');
  for (const [name, text] of manifests) await writeFile(join(folder, name), text);
  return written;
}

const toManifestName = (browser: BrowserName) => `manifest.${browser}.json`;

function toSettings(
  { entry, fileName, format }: (typeof scripts)[number],
  config: Config,
  outDir: string,
): InlineConfig {
  return {
    configFile: false,
    publicDir: false,
    plugins: [builtConfig(config), nativeBrowser()],
    build: {
      outDir,
      emptyOutDir: false,
      // The stores review it.
      minify: false,
      target: Object.entries(oldest).map(([browser, version]) => `${browser}${Number.parseInt(version, 10)}`),
      lib: { entry: toOwnScript(entry), name: 'latchkey', formats: [format], fileName: () => fileName },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  };
}

/**
 * Throws a `FileError` with a line for each file that the manifest names and that isn't in the extension's folder, apart from those that
 * are about to be written.
 */
function expectFiles(
  manifest: Readonly<Record<string, unknown>>,
  root: string,
  written: readonly string[],
): void {
  const problems = findNamedFiles(manifest)
    .filter(({ file }) => !written.includes(file) && !isFile(join(root, file)))
    .map(
      ({ path, file }) =>
        `manifest.json: ${formatPath(path)}: ${JSON.stringify(file)}: there is no such file`,
    );
  if (problems.length > 0) throw new FileError(problems);
}

await runIfStarted(import.meta.url, async () => {
  const options = {
    out: { type: 'string', default: 'vendor/latchkey', description: 'The folder to write: vendor/latchkey.' },
    config: { type: 'string', default: 'latchkey.json', description: 'The configuration: latchkey.json.' },
  } as const;
  const { out, config } = readOptions(options, '--out vendor/latchkey');
  for (const file of await writeFiles({ root: project, out, config })) {
    console.log(relative('.', file));
  }
  console.log(
    'Copy the manifest of the browser over manifest.json. After a change of the configuration, run this again.',
  );
});
