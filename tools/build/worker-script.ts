// Builds the worker as one ordinary script, because that starts fastest.

import { resolve } from 'node:path';
import { Script } from 'node:vm';
import { normalizePath, type Plugin } from 'vite';

const mark = '?worker-script';
/**
 * The modules that it can mark: source code, and those of this project's plugins. Other plugins, such as those for JSON and
 * text, may recognize their modules by the whole id.
 */
const markable = /^(?:[^\0?]+\.[cm]?[jt]sx?|\0(?:latchkey:[^?]+|webextension-polyfill))$/;

const fileName = 'worker.js';
/** The module by which the plugin for extensions starts a worker. */
const loaderName = 'service-worker-loader.js';

interface BuiltManifest {
  readonly background: { readonly service_worker: string } | { readonly scripts: readonly string[] };
}

/**
 * Bundles the worker of `entry` apart from the pages, into one ordinary script. Chromium keeps the compiled code of such a
 * script, and not that of a module. A module that pages import too would be in a chunk that both load, along with parts that
 * the worker doesn't need, so the worker gets its own copy of each module.
 *
 * A worker that can't be an ordinary script, because a feature uses `import.meta` or awaits at the top level, stays a module.
 */
export function workerScript(root: string, entry: string): Plugin {
  const entryId = normalizePath(resolve(root, entry));
  const isWorkers = (id: string | null | undefined) => id === entryId || id?.endsWith(mark) === true;

  return {
    name: 'worker-script',
    apply: 'build',
    enforce: 'pre',

    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            // Chunks that a plugin adds take their names from here.
            chunkFileNames: ({ facadeModuleId }) =>
              isWorkers(facadeModuleId) ? fileName : 'assets/[name]-[hash].js',
          },
        },
      },
    }),

    resolveId: {
      // Before the plugins of an extension's vite.config.ts, which would resolve some modules for pages and worker alike.
      order: 'pre',
      async handler(source, importer, options) {
        if (!isWorkers(importer)) return null;
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
        if (resolved === null || resolved.external || !markable.test(resolved.id)) return resolved;
        return { ...resolved, id: resolved.id + mark };
      },
    },

    generateBundle: {
      // After the manifest is written.
      order: 'post',
      handler(_options, bundle) {
        const [worker, manifest] = [bundle[fileName], bundle['manifest.json']];
        if (worker?.type !== 'chunk' || manifest?.type !== 'asset') return;
        // A script's variables would be global, and a script isn't strict by itself.
        const script = `(()=>{"use strict";${worker.code.trimEnd()}})();\n`;
        if (!isScript(script)) return;
        worker.code = script;
        const built = JSON.parse(String(manifest.source)) as BuiltManifest;
        const background =
          'scripts' in built.background ? { scripts: [fileName] } : { service_worker: fileName };
        manifest.source = `${JSON.stringify({ ...built, background }, null, 2)}\n`;
        delete bundle[loaderName];
      },
    },
  };
}

function isScript(code: string): boolean {
  try {
    return new Script(code) instanceof Script;
  } catch {
    return false;
  }
}
