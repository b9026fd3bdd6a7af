// Makes a script of its own of the popup's first read, so that it runs while the popup's other code is being loaded.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const firstModule = resolve(import.meta.dirname, '../../src/popup/first-read.ts').replaceAll('\\', '/');

/** Marks the copy of a module. */
const copied = '?first';

const isFirst = (id: string | undefined) => id === firstModule || (id?.endsWith(copied) ?? false);

/** The chunk for {@link firstScript}, in `output.codeSplitting.groups`. */
export const firstChunk = { name: 'first-read', test: isFirst };

/**
 * Copies into the first script all that it imports, so that it waits for no other chunk and the worker does not share
 * it, and names it in the popup's page. `async` lets it run before the style sheet is there.
 */
export function firstScript(): Plugin {
  return {
    name: 'first-script',
    enforce: 'pre',
    apply: 'build',
    async resolveId(source, importer, options) {
      if (!isFirst(importer)) return undefined;
      const original = importer?.replace(copied, '');
      const resolved = await this.resolve(source, original, { ...options, skipSelf: true });
      // Copies only own modules. The polyfill, where it is needed, is shared.
      return resolved === null || resolved.id.includes('/node_modules/') ? resolved : resolved.id + copied;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunk = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.includes(firstModule),
        );
        if (chunk === undefined || !html.includes(chunk.fileName)) return html;
        const lines = html
          .split('\n')
          .filter((line) => !(line.includes('modulepreload') && line.includes(chunk.fileName)));
        return {
          html: lines.join('\n'),
          tags: [
            {
              tag: 'script',
              attrs: { type: 'module', async: true, crossorigin: true, src: `/${chunk.fileName}` },
              injectTo: 'head-prepend',
            },
          ],
        };
      },
    },
  };
}
