// Vite's settings: for the extension in each browser, and for the gallery alone.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { crx } from '@crxjs/vite-plugin';
import react from '@vitejs/plugin-react';
import type { InlineConfig, UserConfig } from 'vite';
import type { Config } from '../../src/config/config.ts';
import { toBuildTarget, toManifest, type Manifest } from '../../src/config/manifest.ts';
import { relax, withSources } from '../library/guest-manifest.ts';
import { type BundledPackage, thirdPartyNotices } from './bundled-packages.ts';
import { builtConfig, languages, nativeBrowser } from './plugins.ts';
import {
  knownMessages,
  ownPage,
  ownStyles,
  popupPage,
  preparePublicFolder,
  toSource,
  toSourceManifest,
} from './own-files.ts';
import { readConfigFile } from './read-config.ts';
import { readVersionedManifest } from './read-manifest.ts';
import { latchkey, root } from './read-text.ts';
import { firstChunk, firstPaint, reactModules, styledImports, inlineStyle } from './first-paint.ts';
import { workerScript } from './worker-script.ts';

/** Lets an extension that has Latchkey as packages add plugins in its vite.config.ts. That of a checkout has the settings below. */
export const ownSettings: Pick<InlineConfig, 'configFile'> = root === latchkey ? { configFile: false } : {};

/** A feature that shows and does nothing, in place of the one in src/feature. */
export const emptyFeature = resolve(import.meta.dirname, 'empty-feature');
/** The folder of a feature that shows a few notes. */
export const picturedFeature = resolve(import.meta.dirname, '../pictured-feature');

/** `served` where Vite's server sends the modules of the pages, `rebuilt` where each change is a new build. */
type Live = 'served' | 'rebuilt';

export interface ExtensionOptions {
  readonly browser: 'chrome' | 'firefox';
  /** The folder of the build; `dist/<browser>` by default. */
  readonly outDir?: string | undefined;
  /** By default that of `LATCHKEY_CONFIG` or `src/config.json`. */
  readonly config?: Config | undefined;
  /** For `npm run dev`: includes the gallery, and relaxes the content security policy as far as that needs. */
  readonly live?: Live | undefined;
  /** A folder whose Feature.tsx and worker.ts replace those of src/feature. */
  readonly featureDir?: string | undefined;
  readonly onPackages?: ((packages: readonly BundledPackage[]) => void) | undefined;
}

/**
 * Vite's settings for one browser. Throws a `FileError` when the configuration or manifest.json is invalid.
 */
export function extension(options: ExtensionOptions): UserConfig {
  const {
    browser,
    outDir,
    config = readConfigFile(),
    live,
    featureDir = resolve(root, 'src/feature'),
  } = options;
  const manifest = readVersionedManifest();
  const source = toSourceManifest(manifest);
  const built = toManifest(source, config, browser);
  const publicDir = preparePublicFolder(manifest);
  const page = toSource(popupPage);
  return {
    root,
    publicDir,
    // The command has printed addresses that are still needed.
    clearScreen: false,
    plugins: [
      !live && firstPaint(page),
      !live && reactModules(),
      !live && styledImports(),
      // Vite watches no copies of modules.
      !live && workerScript(root, source.background.service_worker),
      !live && knownMessages(publicDir, manifest),
      builtConfig(config),
      hasBrowserNamespace(browser, manifest) && nativeBrowser(),
      live && languages(),
      react(),
      crx({ browser, manifest: live ? toLive(built, live) : built }),
      !live && thirdPartyNotices(root, options.onPackages),
      // A page that is served gets its styles from Vite.
      !live && inlineStyle(page),
      ownStyles(),
      ownPage(),
    ],
    resolve: {
      alias: [{ find: /^\.\.\/feature\/(Feature|worker)\.(?:tsx?|js)$/, replacement: `${featureDir}/$1` }],
    },
    build: {
      // Only style sheets are loaded ahead: see first-paint.ts.
      modulePreload: false,
      outDir: outDir ?? resolve(root, 'dist', browser),
      emptyOutDir: true,
      target: [...toBuildTarget(manifest, browser)],
      rolldownOptions: {
        // On a busy machine it would name the plugins, which can't be changed here. For a server, CRXJS passes these
        // options on to a bundler of its own, which would print that it doesn't know this one.
        ...(live !== 'served' && { checks: { bundlerTimings: false } }),
        ...(live
          ? galleryPages.length > 0 && { input: galleryPages }
          : {
              output: {
                // With one character beyond Latin-1, Chromium keeps a whole script in two bytes for each character.
                charset: 'ascii',
                codeSplitting: { groups: [firstChunk()] },
              },
            }),
      },
    },
  };
}

/** Relaxes the content security policy: for the frames of the gallery, and for the modules and updates of Vite's server. */
function toLive(manifest: ReturnType<typeof toManifest>, live: Live): typeof manifest {
  const policy = ['frame-src', 'frame-ancestors'].reduce(
    (relaxed, directive) => withSources(relaxed, directive, ["'self'"]),
    manifest.content_security_policy.extension_pages,
  );
  const extension_pages = live === 'served' ? relax(policy) : policy;
  return { ...manifest, content_security_policy: { extension_pages } };
}

/** A list, because CRXJS leaves out a single page that isn't in a list. The package has none. */
export const galleryPages = [resolve(latchkey, 'tools/gallery/index.html')].filter((page) =>
  existsSync(page),
);

/** Vite's settings for the gallery alone, as a web page at `/tools/gallery/index.html`. */
export function gallery(outDir: string): UserConfig {
  const manifest = readVersionedManifest();
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

/** Firefox has always had `browser`; Chromium has it since version 148. */
function hasBrowserNamespace(browser: ExtensionOptions['browser'], manifest: Manifest): boolean {
  return browser === 'firefox' || Number.parseInt(manifest.minimum_chrome_version, 10) >= 148;
}
