// Modules that exist in no file: parts of the configuration, the messages of all languages, and a stand-in for the
// polyfill.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { toBuiltParts } from '../../src/config/built-parts.ts';
import type { Config } from '../../src/config/config.ts';
import { toIconsModule } from './icons.ts';
import { listLanguages } from './read-languages.ts';
import { readJson, root } from './read-text.ts';

/** The modules `latchkey:config` and `latchkey:icons`. */
export function builtConfig(config: Config): Plugin[] {
  return [
    virtualModule('latchkey:config', () => toConfigModule(config)),
    virtualModule('latchkey:icons', (watch) => toIconsModule(config.providers, watch)),
  ];
}

/**
 * The code of that module: the parts of the configuration that the running extension needs, and constants that tell the
 * bundler which code no provider needs. It drops code behind a constant that is false, which it does not behind a member.
 */
export function toConfigModule(config: Config): string {
  // The worker needs no icons.
  const providers = config.providers.map(({ icon: _icon, ...provider }) => provider);
  return Object.entries({ ...config, providers, ...toBuiltParts(config) })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/** The module `latchkey:languages`, for the gallery: the messages of all languages. A mistake throws a `FileError`. */
export function languages(): Plugin {
  const folder = 'src/public/_locales';
  return virtualModule('latchkey:languages', (watch) => {
    const messages = listLanguages(resolve(root, folder)).map((language) => {
      const name = `${folder}/${language}/messages.json`;
      watch(resolve(root, name));
      return [language, readJson(name)];
    });
    return `export default ${JSON.stringify(Object.fromEntries(messages))};`;
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
