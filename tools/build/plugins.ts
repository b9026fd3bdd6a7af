// Modules that exist in no file: parts of the configuration, the messages of all languages, and a stand-in for the
// polyfill.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { findParts } from '../../src/config/built-parts.ts';
import type { Config } from '../../src/config/config.ts';
import { toIconsModule } from './icons.ts';
import { listLanguages } from './own-files.ts';
import { readJson, root, toOwnScript } from './read-text.ts';

/** The modules that are generated from the configuration, by their names. Each calls `watch` with the other files that it reads. */
export const builtModules: Readonly<
  Record<string, (config: Config, watch: (file: string) => void) => string>
> = {
  'latchkey:config': toConfigModule,
  'latchkey:parts': toPartsModule,
  'latchkey:code-screen': toCodeScreenModule,
  'latchkey:icons': ({ providers }, watch) => toIconsModule(providers, watch),
};

export function builtConfig(config: Config): Plugin[] {
  return Object.entries(builtModules).map(([id, toCode]) =>
    virtualModule(id, (watch) => toCode(config, watch)),
  );
}

/** The code of `latchkey:config`: the parts of the configuration that the running extension needs. */
export function toConfigModule(config: Config): string {
  // The worker needs no icons.
  const providers = config.providers.map(({ icon: _icon, ...provider }) => provider);
  return Object.entries({ ...config, providers })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/** The code of `latchkey:parts`: a list of the worker's parts that the configuration needs. */
export function toPartsModule(config: Config): string {
  const parts = findParts(config);
  const imports = parts.map(
    (part, index) =>
      `import { part as part${index} } from ${JSON.stringify(toOwnScript(`src/parts/${part}.ts`))};`,
  );
  return [...imports, `export default [${parts.map((_part, index) => `part${index}`).join(', ')}];`].join(
    '\n',
  );
}

function toCodeScreenModule(config: Config): string {
  return findParts(config).includes('device')
    ? `export { CodeScreen } from ${JSON.stringify(toOwnScript('src/popup/screens/SigningInByCode.tsx'))};`
    : 'export const CodeScreen = null;';
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

function virtualModule(id: string, toCode: (watch: (file: string) => void) => string): Plugin {
  return {
    name: `virtual:${id}`,
    enforce: 'pre',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: {
      // Before the plugin of `latchkey/vite`, which an extension may have for its tests.
      order: 'pre',
      handler(resolved) {
        // A query marks a copy: see worker-script.ts.
        return resolved.replace(/\?.*/, '') === `\0${id}`
          ? toCode((file) => this.addWatchFile(file))
          : undefined;
      },
    },
  };
}
