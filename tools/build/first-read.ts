// Keeps the popup's first read of the board apart from its other code.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const src = resolve(import.meta.dirname, '../../src').replaceAll('\\', '/');
const firstRead = `${src}/popup/first-read.ts`;

/** Marks a module as the first read's own copy. */
const mark = '?first';

function isFirst(id: string): boolean {
  return id === firstRead || id.endsWith(mark);
}

/** Whether the first read gets its own copy of a module: ours, generated code, or a package. */
function isCopied(id: string): boolean {
  return (
    id.startsWith(`${src}/`) ||
    ['\0latchkey:config', '\0webextension-polyfill'].includes(id) ||
    id.includes('/node_modules/valibot/')
  );
}

/** The chunk of the first read, for `output.codeSplitting.groups`. */
export const firstChunk = { name: 'first-read', test: isFirst };

/**
 * Copies the modules that the first read shares with the popup's other code, so that it is one small file and waits for no
 * other. The page loads it in a script of its own.
 */
export function separateFirstRead(): Plugin {
  return {
    name: 'first-read',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined || !isFirst(importer)) return undefined;
      const original = importer.replace(mark, '');
      const resolved = await this.resolve(source, original, { ...options, skipSelf: true });
      return resolved !== null && isCopied(resolved.id)
        ? { ...resolved, id: `${resolved.id}${mark}` }
        : resolved;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunk = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.includes(firstRead),
        );
        if (chunk === undefined || !html.includes(chunk.fileName)) return html;
        const isPreload = (line: string) => line.includes('modulepreload') && line.includes(chunk.fileName);
        const lines = html.split('\n').filter((line) => !isPreload(line));
        // The frame of an empty page would only delay the first one with a content.
        const blocking = lines.join('\n').replace('<script ', '<script blocking="render" ');
        // First in the head, so that the board is known when React runs.
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${chunk.fileName}` };
        return { html: blocking, tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }] };
      },
    },
  };
}
