// Prepares the popup's page for its first paint, which waits for one small script and not for React, nor for a
// style sheet in a file of its own.

import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { popupPage } from './own-files.ts';
import { toOwnScript } from './read-text.ts';

const entry = toOwnScript('src/popup/main.ts');

interface ModuleInfo {
  readonly importers: readonly string[];
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

/** The modules of a build, as the bundler describes them while it forms chunks. */
interface Modules {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Puts everything that the popup's entry imports into one chunk, for `output.codeSplitting.groups`. */
export function firstChunk(): { name: (id: string, modules: Modules) => string | null } {
  let chosen: ReadonlySet<string> | null = null;
  return {
    name(id, modules) {
      chosen ??= chooseModules(modules);
      return chosen.has(id) ? 'popup' : null;
    },
  };
}

function chooseModules(modules: Modules): ReadonlySet<string> {
  const first = findReached(modules, (info) => info.importedIds);
  const own = findReached(modules, (info) => [...info.importedIds, ...info.dynamicallyImportedIds]);
  const isShared = [...own].some(
    (id) => id !== entry && modules.getModuleInfo(id)?.importers.some((importer) => !own.has(importer)),
  );
  // Another page that loads a chunk runs all modules in it, and must not run the popup's entry.
  return isShared ? new Set([...first].filter((id) => id !== entry)) : first;
}

/** The entry, and the modules that it reaches by the imports that `toImported` names. */
function findReached(modules: Modules, toImported: (info: ModuleInfo) => readonly string[]): Set<string> {
  const reached = new Set([entry]);
  // The loop also reaches what it adds to the set.
  for (const id of reached) {
    const info = modules.getModuleInfo(id);
    for (const imported of info === null ? [] : toImported(info)) reached.add(imported);
  }
  return reached;
}

/**
 * Lets the popup's script run as early as possible. The page doesn't name React's file: Firefox would compile React before
 * the first paint, and make that a third slower.
 */
export function firstPaint(page: string): Plugin {
  return {
    name: 'first-paint',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, path }) {
        const first = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.includes(entry),
        );
        if (path !== `/${page}` || first === undefined) return html;
        const isReplaced = (line: string) =>
          line.includes('<script ') || (line.includes('modulepreload') && line.includes(first.fileName));
        const lines = html.split('\n').filter((line) => !isReplaced(line));
        // A frame of the empty page would only delay the first one with content.
        const how = { async: true, blocking: 'render', type: 'module', crossorigin: true };
        const attrs = { ...how, src: `/${first.fileName}` };
        return { html: lines.join('\n'), tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }] };
      },
    },
  };
}

/**
 * Turns React's files into modules. The bundler takes from these only what is used, and it needs no file of its own for the
 * functions that JSX calls.
 */
export function reactModules(): Plugin {
  return {
    name: 'react-modules',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:react|react\/jsx-runtime|react-dom|react-dom\/client)$/ },
      async handler(source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true });
        return found && resolve(dirname(found.id), `cjs/${source.replace('/', '-')}.production.js`);
      },
    },
    transform: {
      filter: { id: /\breact[a-z-]*\.production\.js$/ },
      handler: toModule,
    },
  };
}

/** A module with the exports of a CommonJS file: each by its name, and all as the default, for code that needs React whole. */
export function toModule(code: string): string {
  const names = [...code.matchAll(/^exports\.(\w+) =/gm)].map(([, name]) => name);
  const body = code
    .replaceAll(/^(?:var)? +(\w+) = require\("([\w-]+)"\)[,;]$/gm, 'import * as $1 from "$2";')
    .replaceAll(/^exports\.(?=\w+ =)/gm, 'const exports_');
  const exported = names.map((name) => `exports_${name} as ${name}`);
  const members = names.map((name) => `${name}: exports_${name}`);
  return `${body}\nexport { ${exported.join(', ')} };\nexport default { ${members.join(', ')} };`;
}

/** Loads a module after its style sheets. Vite's own function has six times the code, for browsers that aren't supported. */
const loadStyled = `
function loadStyle(file) {
  return new Promise((onload, onerror) => {
    const link = document.createElement('link');
    document.head.append(Object.assign(link, { rel: 'stylesheet', href: '/' + file, onload, onerror }));
  });
}

export async function __vitePreload(load, files = []) {
  await Promise.all(files.map(loadStyle));
  return load();
}`;

/** Replaces the function that Vite puts around each `import()`, which the popup loads before its first paint. */
export function styledImports(): Plugin {
  const id = '\0styled-import';
  return {
    name: 'styled-imports',
    enforce: 'pre',
    resolveId: { filter: { id: /^\0vite\/preload-helper\.js$/ }, handler: () => id },
    load: { filter: { id: /^\0styled-import$/ }, handler: () => loadStyled },
  };
}

interface BuiltManifest {
  readonly content_security_policy: { readonly extension_pages: string };
}

/**
 * Replaces the popup's links to style sheets by the styles, which the content security policy then allows by their hash. A
 * style sheet that another file names stays a file as well.
 */
export function inlineStyle(page = popupPage): Plugin {
  return {
    name: 'inline-style',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After the page and the manifest are written.
      order: 'post',
      handler(_options, bundle) {
        const [html, manifest] = [bundle[page], bundle['manifest.json']];
        if (html?.type !== 'asset' || manifest?.type !== 'asset') return;
        for (const [link, path = ''] of String(html.source).matchAll(
          /<link rel="stylesheet"[^>]* href="\/([^"]+)">/g,
        )) {
          const file = bundle[path];
          if (file?.type !== 'asset') continue;
          const styles = String(file.source).trim();
          // A function, because the styles may contain a replacement pattern such as `$&`.
          html.source = String(html.source).replace(link, () => `<style>${styles}</style>`);
          manifest.source = allowStyles(String(manifest.source), styles);
          const isNamed = Object.values(bundle).some((other) =>
            String(other.type === 'chunk' ? other.code : other.source).includes(path),
          );
          if (!isNamed) delete bundle[path];
        }
      },
    },
  };
}

function allowStyles(manifest: string, styles: string): string {
  const hash = createHash('sha256').update(styles).digest('base64');
  const built = JSON.parse(manifest) as BuiltManifest;
  const policy = built.content_security_policy.extension_pages.replace(
    "style-src 'self'",
    `style-src 'self' 'sha256-${hash}'`,
  );
  return `${JSON.stringify({ ...built, content_security_policy: { extension_pages: policy } }, null, 2)}\n`;
}
