// The parts of Latchkey that an extension gets: the members that its manifest.json leaves out, pages, icons and messages. In a checkout
// these are the extension's own files.

import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import type { Manifest } from '../../src/config/manifest.ts';
import { toSlashes } from '../library/check-build.ts';
import { latchkey, readJson, root, toOwnScript } from './read-text.ts';

/** The popup's page in a build. */
export const popupPage = 'src/popup/index.html';

const publicFolder = 'src/public';

/** The path of a file that may be Latchkey's, from the extension's folder. */
export function toSource(file: string): string {
  if (existsSync(join(root, file))) return file;
  return toSlashes(relative(root, /\.tsx?$/.test(file) ? toOwnScript(file) : join(latchkey, file)));
}

/** The manifest with the paths of the worker, and of the popup wherever it is shown, from the extension's folder, for a bundler. */
export function toSourceManifest(manifest: Manifest): Manifest {
  const shown = JSON.parse(JSON.stringify(manifest).replaceAll(popupPage, toSource(popupPage))) as Manifest;
  const { background } = manifest;
  return { ...shown, background: { ...background, service_worker: toSource(background.service_worker) } };
}

/** The styles of the extension around Latchkey, which come after the popup's own. */
const styles = 'src/popup.css';

/** Adds those styles to the popup, if the extension has them. */
export function ownStyles(): Plugin {
  return {
    name: 'own-styles',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) =>
        path === `/${toSource(popupPage)}` && existsSync(join(root, styles))
          ? html.replace('</head>', `<link rel="stylesheet" href="/${styles}" /></head>`)
          : html,
    },
  };
}

/** The popup's files in the extension's own folder, if Latchkey's are elsewhere: `src/popup/index.html` of each build. */
export function ownPage(): Plugin {
  const source = toSource(popupPage);
  return {
    name: 'own-page',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After the page and the manifest are written.
      order: 'post',
      handler(_options, bundle) {
        const [page, manifest] = [bundle[source], bundle['manifest.json']];
        if (source === popupPage || page?.type !== 'asset' || manifest?.type !== 'asset') return;
        delete bundle[source];
        this.emitFile({ type: 'asset', fileName: popupPage, source: page.source });
        manifest.source = String(manifest.source).replaceAll(source, popupPage);
      },
    },
  };
}

/** The names of the folders in the folder `_locales`, sorted. It ignores files, such as those that file managers leave. */
export function listLanguages(locales: string): readonly string[] {
  return readdirSync(locales, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

type Messages = Readonly<Record<string, object>>;

/**
 * The folder whose files a build copies. Latchkey's own icons and messages come first, and those of the extension's
 * `src/public` replace them. A message that the extension has only in its default language stands in for the others.
 */
export function preparePublicFolder({ name, default_locale: locale }: Manifest): string {
  const [own, latchkeys] = [join(root, publicFolder), join(latchkey, publicFolder)];
  if (own === latchkeys) return own;
  const prepared = join(root, 'node_modules/.cache/latchkey/public');
  const copied = [latchkeys, own].filter(existsSync);
  for (const folder of copied) cpSync(folder, prepared, { recursive: true });
  const read = (folder: string, language: string): Messages => {
    const file = `_locales/${language}/messages.json`;
    return existsSync(join(folder, file)) ? (readJson(file, folder) as Messages) : {};
  };
  // Two dollar signs stand for one, because a single one begins a placeholder.
  const extensionName = { message: name.replaceAll('$', () => '$$') };
  for (const language of listLanguages(join(prepared, '_locales'))) {
    const messages = {
      ...read(own, String(locale)),
      ...read(latchkeys, language),
      ...(!name.startsWith('__MSG_') && { extensionName }),
      ...read(own, language),
    };
    const file = resolve(prepared, '_locales', language, 'messages.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(messages, null, 2)}\n`);
  }
  return prepared;
}

/**
 * Stops a build whose code asks by name for a message that isn't in the folder of {@link preparePublicFolder}: the browser would show
 * nothing for it. Reads the code of the extension's own sources.
 */
export function knownMessages(publicDir: string, { default_locale: locale }: Manifest): Plugin {
  const known = readJson(`_locales/${String(locale)}/messages.json`, publicDir) as Messages;
  const sources = `${toSlashes(join(root, 'src'))}/`;
  return {
    name: 'known-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(sources)) return;
      for (const [, , key = ''] of code.matchAll(/\bgetMessage\(\s*(['"`])([^'"`$]+)\1/gu)) {
        if (key.startsWith('@@') || Object.hasOwn(known, key)) continue;
        const file = relative(root, id.replace(/\?.*/, ''));
        this.error(
          `${toSlashes(file)}: no language has the message "${key}". Add it to src/public/_locales.`,
        );
      }
    },
  };
}
