// Prepares the popup's page for its first paint, which waits for one small script and not for React.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const popup = resolve(root, 'src/popup').replaceAll('\\', '/');
const entry = `${popup}/main.ts`;

/** The modules of a build, as the bundler tells of them while it forms chunks. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Puts everything that the popup's entry imports into one chunk, for `output.codeSplitting.groups`. */
export function firstChunk(): { name: (id: string, modules: Modules) => string | null } {
  const found = new Set<string>();
  const add = (id: string, modules: Modules) => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported, modules);
  };
  return {
    name(id, modules) {
      if (found.size === 0) add(entry, modules);
      return found.has(id) ? 'popup' : null;
    },
  };
}

/**
 * Lets the popup's script run as early as possible. The page names no other module: Firefox would compile React before the
 * first paint, which takes a third longer then.
 */
export function firstPaint(): Plugin {
  return {
    name: 'first-paint',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {}, path }) {
        const first = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.includes(entry),
        );
        if (path !== '/src/popup/index.html' || first === undefined) return html;
        const lines = html.split('\n');
        const own = lines.find((line) => line.includes('<script '));
        return lines
          .filter((line) => line === own || !/modulepreload|<script /.test(line))
          .map((line) =>
            line === own
              ? // The frame of an empty page would only delay the first one with a content.
                `    <script async blocking="render" type="module" crossorigin src="/${first.fileName}"></script>`
              : line,
          )
          .join('\n');
      },
    },
  };
}

/** Turns the functions that JSX calls into a module, because the bundler's way to wrap them needs a file of its own. */
export function jsxModule(): Plugin {
  return {
    name: 'jsx-module',
    enforce: 'pre',
    transform: {
      filter: { id: /react-jsx-runtime\.production\.js$/ },
      handler: (code) => code.replaceAll(/^exports\.(\w+) = (\w+);$/gm, 'export { $2 as $1 };'),
    },
    resolveId: {
      filter: { id: /^react\/jsx-runtime$/ },
      handler: () => resolve(root, 'node_modules/react/cjs/react-jsx-runtime.production.js'),
    },
  };
}
