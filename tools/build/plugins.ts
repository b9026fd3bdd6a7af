// Modules that exist in no file: parts of the configuration, the messages of all languages, and a stand-in for the
// polyfill.

import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import type { Config } from '../../src/config/config.ts';
import { readJson } from './read-text.ts';

const root = resolve(import.meta.dirname, '../..');

/** The module `latchkey:config`: the parts of the configuration that the running extension needs. */
export function builtConfig({ providers, persistence }: Config): Plugin {
  return virtualModule(
    'latchkey:config',
    () =>
      `export const providers = ${JSON.stringify(providers)};\nexport const persistence = ${JSON.stringify(persistence)};`,
  );
}

/** The module `latchkey:languages`, for the gallery: the messages of all languages. */
export function languages(): Plugin {
  const folder = resolve(root, 'src/public/_locales');
  return virtualModule('latchkey:languages', (watch) => {
    const files = readdirSync(folder).map((language) => {
      const file = resolve(folder, language, 'messages.json');
      watch(file);
      return `${JSON.stringify(language)}: ${JSON.stringify(readJson(file, `src/public/_locales/${language}/messages.json`))}`;
    });
    return `export default {${files.join(',')}};`;
  });
}

/** Replaces the polyfill where it would do nothing, which saves 3 kB each in the worker and in the popup. */
export function nativeBrowser(): Plugin {
  return virtualModule('webextension-polyfill', () => 'export default globalThis.browser;');
}

/** A module with the id `id`. It is generated again when a file changes that it watches. */
function virtualModule(id: string, toCode: (watch: (file: string) => void) => string): Plugin {
  return {
    name: `virtual:${id}`,
    enforce: 'pre',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(resolved) {
      // A query marks a copy: see worker-script.ts.
      return resolved.replace(/\?.*/, '') === `\0${id}`
        ? toCode((file) => this.addWatchFile(file))
        : undefined;
    },
  };
}
