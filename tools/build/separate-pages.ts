// Keeps the code of the pages apart from the worker's, and the popup's first read apart from its other code.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const src = resolve(import.meta.dirname, '../../src').replaceAll('\\', '/');
const firstRead = `${src}/popup/first-read.ts`;

type Part = 'first' | 'page';

/** The part of the popup that a module belongs to. A copy has its part as a query. */
function toPart(id: string): Part | null {
  if (id === firstRead || id.endsWith('?first')) return 'first';
  return id.startsWith(`${src}/popup/`) || id.endsWith('?page') ? 'page' : null;
}

/** Whether a part of the popup gets its own copy of a module: one of our folders, generated code, or a package. */
function isCopied(id: string, part: Part): boolean {
  const folders = part === 'first' ? [''] : ['bridge/', 'concurrency/', 'session/'];
  return (
    folders.some((folder) => id.startsWith(`${src}/${folder}`)) ||
    ['\0latchkey:config', '\0webextension-polyfill'].includes(id) ||
    id.includes('/node_modules/valibot/')
  );
}

/** The chunk of the first read, for `output.codeSplitting.groups`. */
export const firstChunk = { name: 'first-read', test: (id: string) => toPart(id) === 'first' };

/**
 * Copies the modules that the popup shares with the worker, and those that its first read shares with its other code.
 * So each of the three is one file, without what only the others need, and waits for no other file. The page loads the
 * first read in a script of its own, which does not wait for the style sheet.
 */
export function separatePages(): Plugin {
  return {
    name: 'separate-pages',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const part = importer === undefined ? null : toPart(importer);
      if (part === null) return undefined;
      const original = importer?.replace(/\?(?:first|page)$/, '');
      const resolved = await this.resolve(source, original, { ...options, skipSelf: true });
      return resolved !== null && isCopied(resolved.id, part)
        ? { ...resolved, id: `${resolved.id}?${part}` }
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
        // Chromium would paint the empty page before, which only delays the paint that counts.
        const blocking = lines.join('\n').replace('<script ', '<script blocking="render" ');
        // First in the head, so that the board is known when React runs.
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${chunk.fileName}` };
        return { html: blocking, tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }] };
      },
    },
  };
}
