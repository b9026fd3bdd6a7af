// Builds dist/chrome and dist/firefox from one source, and holds the settings of the tests.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { crx } from '@crxjs/vite-plugin';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config';
import { ConfigError, type Config } from './src/config/config.ts';
import { toBuildTarget, toManifest, type Manifest } from './src/config/manifest.ts';
import { parseConfig } from './tools/build/parse-config.ts';

const root = import.meta.dirname;

export interface ExtensionOptions {
  readonly browser: 'chrome' | 'firefox';
  /** Where the build goes; `dist/<browser>` unless told otherwise. */
  readonly outDir?: string | undefined;
  /** The configuration's file; `LATCHKEY_CONFIG` or `src/config.json` unless told otherwise. */
  readonly configPath?: string | undefined;
  /**
   * For `npm run dev`, which follows the source: the gallery is in it, and the content security policy makes room for that and, where the
   * pages are `served`, for Vite's server.
   */
  readonly live?: 'served' | 'rebuilt' | undefined;
  /** A folder whose Feature.tsx and worker.ts are built in, in place of those of src/feature. */
  readonly featureDir?: string | undefined;
}

/** Vite's settings for one browser. Throws a `ConfigError` when the configuration cannot be used. */
export function extension({
  browser,
  outDir,
  configPath,
  live,
  featureDir,
}: ExtensionOptions): ViteUserConfig {
  const config = readConfigFile(configPath);
  const manifest = readManifest();
  const built = toManifest(manifest, config, browser);
  return {
    root,
    publicDir: resolve(root, 'src/public'),
    plugins: [
      builtConfig(config),
      hasBrowserNamespace(browser, manifest) && nativeBrowser,
      live && languages(),
      react(),
      crx({ browser, manifest: live ? toLiveManifest(built, live) : built }),
    ],
    ...(featureDir !== undefined && {
      resolve: {
        alias: [{ find: /^\.\.\/feature\/(?=(?:Feature\.tsx|worker\.ts)$)/, replacement: `${featureDir}/` }],
      },
    }),
    build: {
      // Every browser that is built for knows module preloads.
      modulePreload: { polyfill: false },
      outDir: outDir ?? resolve(root, 'dist', browser),
      emptyOutDir: true,
      target: [...toBuildTarget(manifest, browser)],
      ...(live && { rolldownOptions: { input: galleryPages } }),
    },
  };
}

const galleryPages = ['index.html', 'face.html'].map((page) => resolve(root, 'src/gallery', page));

/** Vite's settings for the gallery alone, as pages of the web at `/src/gallery/`. */
export function gallery(outDir: string): ViteUserConfig {
  const manifest = readManifest();
  return {
    root,
    publicDir: resolve(root, 'src/public'),
    plugins: [languages(), react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: [...toBuildTarget(manifest, 'chrome'), ...toBuildTarget(manifest, 'firefox')],
      rolldownOptions: { input: galleryPages },
    },
  };
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(resolve(root, 'manifest.json'), 'utf8')) as Manifest;
}

type BuiltManifest = ReturnType<typeof toManifest>;

/** With a policy that lets the gallery have frames, and Vite's server send modules, styles and news of changes. */
function toLiveManifest(manifest: BuiltManifest, live: 'served' | 'rebuilt'): BuiltManifest {
  const framed = manifest.content_security_policy.extension_pages
    .replace("default-src 'none'", "default-src 'none'; frame-src 'self'")
    .replace("frame-ancestors 'none'", "frame-ancestors 'self'");
  const policy =
    live === 'served'
      ? framed
          .replace('connect-src', 'connect-src http://localhost:* ws://localhost:*')
          .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
      : framed;
  return { ...manifest, content_security_policy: { extension_pages: policy } };
}

/** What stands in for the polyfill where it would do nothing: 3 kB less for the worker and for the popup. */
const nativeBrowser = virtualModule('webextension-polyfill', () => 'export default globalThis.browser;');

/** Firefox has always had `browser`, Chromium has it since version 148. */
function hasBrowserNamespace(browser: ExtensionOptions['browser'], manifest: Manifest): boolean {
  return browser === 'firefox' || Number.parseInt(manifest.minimum_chrome_version, 10) >= 148;
}

/** Reads the configuration that every command uses. Throws a `ConfigError` that names the file and the place in it. */
export function readConfigFile(configPath = process.env['LATCHKEY_CONFIG'] ?? 'src/config.json'): Config {
  return parseConfig(readText(resolve(root, configPath), configPath), configPath);
}

function readText(path: string, configPath: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Missing, a folder, or not ours to read: the name says enough to find out.
    throw new ConfigError([`${configPath}: cannot be read; expected the configuration's file`]);
  }
}

/** The module `latchkey:config`: what of the configuration the running extension needs. */
function builtConfig({ providers, persistence }: Config): Plugin {
  return virtualModule(
    'latchkey:config',
    () =>
      `export const providers = ${JSON.stringify(providers)};\nexport const persistence = ${JSON.stringify(persistence)};`,
  );
}

/** The module `latchkey:languages`, for the gallery: the messages of all languages, which are no modules themselves. */
function languages(): Plugin {
  const folder = resolve(root, 'src/public/_locales');
  return virtualModule('latchkey:languages', (watch) => {
    const files = readdirSync(folder).map((language) => {
      const file = resolve(folder, language, 'messages.json');
      watch(file);
      return `${JSON.stringify(language)}: ${readFileSync(file, 'utf8')}`;
    });
    return `export default {${files.join(',')}};`;
  });
}

/** A module that is in no file, before anything that is in one. Made anew when a file changes that it watches. */
function virtualModule(id: string, toCode: (watch: (file: string) => void) => string): Plugin {
  return {
    name: `virtual:${id}`,
    enforce: 'pre',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(resolved) {
      return resolved === `\0${id}` ? toCode((file) => this.addWatchFile(file)) : undefined;
    },
  };
}

/** How long a test waits for what it expects: longer than anything takes on a machine that is busy. */
const patienceMs = 10_000;

/** The same tests, in one real browser. Each file has a browser of its own, so few of them run at once. */
function browserTests(name: ExtensionOptions['browser']): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: ['tests/browser/**/*.test.ts'],
      globalSetup: ['tests/support/browser/global-setup.ts'],
      fileParallelism: false,
      // A real browser on a busy machine has a second chance: the line of a test that needed it says "(retry x1)".
      retry: 1,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: patienceMs } },
    },
  };
}

export default defineConfig(({ mode }) =>
  mode === 'test'
    ? {
        test: {
          projects: [
            {
              plugins: [react(), builtConfig(readConfigFile('src/config.json'))],
              test: {
                name: 'unit',
                include: ['tests/**/*.test.{ts,tsx}'],
                exclude: ['tests/browser/**'],
                testTimeout: 30_000,
                expect: { poll: { timeout: patienceMs } },
              },
            },
            browserTests('chrome'),
            browserTests('firefox'),
          ],
        },
      }
    : extension({ browser: 'chrome' }),
);
