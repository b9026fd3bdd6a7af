// Looks at what the build has written: whether the extension loads, and whether its manifest lets Latchkey work.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { parse } from 'jsonc-parser';
import { formatPath, type Path } from '../../src/config/config-error.ts';
import { toHostPermissions } from '../../src/config/manifest.ts';
import type { Config } from '../../src/config/provider.ts';
import { isObject } from '../../src/session/shape.ts';

interface NamedFile {
  readonly path: Path;
  readonly file: string;
}

/** Places of files in manifests. `*` stands for each member of a list or an object. */
const places: readonly Path[] = [
  ['background', 'service_worker'],
  ['background', 'scripts', '*'],
  ['background', 'page'],
  ['content_scripts', '*', 'js', '*'],
  ['content_scripts', '*', 'css', '*'],
  ['action', 'default_popup'],
  ['action', 'default_icon'],
  ['action', 'default_icon', '*'],
  ['icons', '*'],
  ['options_page'],
  ['options_ui', 'page'],
  ['side_panel', 'default_path'],
  ['sidebar_action', 'default_panel'],
  ['sidebar_action', 'default_icon'],
  ['sidebar_action', 'default_icon', '*'],
  ['devtools_page'],
  ['chrome_url_overrides', '*'],
  ['sandbox', 'pages', '*'],
  ['web_accessible_resources', '*', 'resources', '*'],
  ['declarative_net_request', 'rule_resources', '*', 'path'],
  ['storage', 'managed_schema'],
];

/**
 * Returns a line for each mistake in the extension that a build has written to `folder`: files that its manifest names and that aren't
 * there, scripts that the browser doesn't load because they are modules, and what `withLatchkey` would have added for the
 * configuration. Without a manifest in the folder, there are none.
 */
export function findBuildMistakes(folder: string, config: Config): readonly string[] {
  const text = readIfPresent(join(folder, 'manifest.json'));
  // With comments, as browsers accept them.
  const manifest: unknown = text === null ? null : parse(text);
  if (!isObject(manifest)) return [];
  const files = findNamedFiles(manifest);
  return [
    ...findMissing(files, folder),
    ...findModules(files, manifest, folder),
    ...findOmissions(manifest, config),
  ].map((line) => `manifest.json: ${line}`);
}

function findMissing(files: readonly NamedFile[], folder: string): readonly string[] {
  const missing = new Map(
    files.filter(({ file }) => !isFile(join(folder, file))).map((named) => [named.file, named]),
  );
  if (missing.size === 0) return [];
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(toSlashes);
  return [...missing.values()].map(
    ({ path, file }) =>
      `${formatPath(path)}: the build has no file ${JSON.stringify(file)}. ${toRemedy(file, written)}`,
  );
}

function toRemedy(file: string, written: readonly string[]): string {
  const alike = written.find((other) => toBuiltName(other) === toBuiltName(file));
  if (alike !== undefined) {
    return (
      `It has ${JSON.stringify(alike)}: name that one, or have the build call it so (in Vite with the names in "input" and ` +
      '"output.entryFileNames")'
    );
  }
  return /\.(?:html|[cm]?[jt]sx?)$/.test(file)
    ? 'Add its source to the "input" of the build. If another build writes it, run that one first, and set ' +
        '"build.emptyOutDir" to false in this one'
    : `Put it at ${JSON.stringify(`public/${file}`)}, or correct its name`;
}

/** The part of a file's name that a build keeps: not its folder, its language or a hash. */
function toBuiltName(file: string): string {
  return basename(file)
    .replace(/[-.][\w-]{8}(?=\.[^.]+$)/, '')
    .replace(/\.[cm]?[jt]sx?$/, '.js');
}

/** V8's errors for code that only runs in a module. A service worker can't await at the top level, even in a module. */
const importOrExport = /outside a module|Unexpected token 'export'/;
const moduleOnly = /outside a module|Unexpected token 'export'|await is only valid/;

function findModules(
  files: readonly NamedFile[],
  { background }: Readonly<Record<string, unknown>>,
  folder: string,
): readonly string[] {
  const isModule = isObject(background) && background['type'] === 'module';
  return files.flatMap(({ path, file }) => {
    const [member, , kind] = path;
    const isContent = member === 'content_scripts' && kind === 'js';
    const isWorker = member === 'background' && file.endsWith('js') && !isModule;
    const code = isContent || isWorker ? readIfPresent(join(folder, file)) : null;
    const reason = code === null ? null : findModuleSyntax(code, isContent ? moduleOnly : importOrExport);
    if (reason === null) return [];
    return isContent
      ? `${formatPath(path)}: ${JSON.stringify(file)} is a module (${reason}), and browsers load no module as a content script. Build it by itself, ` +
          'in the format "iife", before this build: see "Content scripts" in docs/into-your-extension.md'
      : `background.type: missing; expected "module", because ${JSON.stringify(file)} is one (${reason})`;
  });
}

/** Why a text isn't a script, if it may be a module. Syntax that this version of Node doesn't know doesn't count. */
function findModuleSyntax(code: string, pattern: RegExp): string | null {
  try {
    compileFunction(code);
    return null;
  } catch (error) {
    const { message } = error as Error;
    return pattern.test(message) ? message : null;
  }
}

function findOmissions(manifest: Readonly<Record<string, unknown>>, config: Config): readonly string[] {
  const { permissions, host_permissions: hosts, background } = manifest;
  const findAbsent = (list: unknown, names: readonly string[]) =>
    names.filter((name) => !Array.isArray(list) || !list.includes(name));
  const [[host] = [], [otherHost] = []] = (['chrome', 'firefox'] as const).map((browser) =>
    findAbsent(hosts, toHostPermissions(config, browser)),
  );
  const [name] = findAbsent(permissions, ['identity', 'storage']);
  // Each browser has its own form of some hosts.
  const absent = name ?? (otherHost === undefined ? undefined : host);
  return [
    absent !== undefined &&
      `${name === undefined ? 'host_permissions' : 'permissions'}: without ${JSON.stringify(absent)}. Write the manifest that withLatchkey returns; a ` +
        'manifest in "public" is copied as it is, so keep it elsewhere',
    background === undefined &&
      'background: missing; expected a worker that calls startWorker of "latchkey/worker"',
  ].filter((line) => line !== false);
}

/** The files of the extension that a manifest names. */
export function findNamedFiles(manifest: Readonly<Record<string, unknown>>): readonly NamedFile[] {
  const files = places.flatMap((place) => collect(manifest, place, []));
  const locale = manifest['default_locale'];
  if (typeof locale === 'string') {
    files.push({ path: ['default_locale'], file: `_locales/${locale}/messages.json` });
  }
  return files;
}

function collect(value: unknown, [key, ...rest]: Path, path: Path): NamedFile[] {
  if (key === undefined) {
    const file = typeof value === 'string' ? value.replace(/^(?:\.?\/)+|[?#].*/g, '') : '';
    // A pattern may fit nothing, and a page may be the browser's own.
    return file === '' || /\*|:/.test(file) ? [] : [{ path, file }];
  }
  if (key === '*' && Array.isArray(value)) {
    return value.flatMap((each, index) => collect(each, rest, [...path, index]));
  }
  if (!isObject(value)) return [];
  const keys = key === '*' ? Object.keys(value) : [String(key)];
  return keys.flatMap((each) => collect(value[each], rest, [...path, each]));
}

function readIfPresent(file: string): string | null {
  return isFile(file) ? readFileSync(file, 'utf8') : null;
}

export function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}

export function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
