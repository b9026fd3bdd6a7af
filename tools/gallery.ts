// Builds the gallery of the popup's views and serves it to this computer, as a web page.

import { preview } from 'vite';
import { runBuild } from './build/run-build.ts';
import { gallery } from './build/settings.ts';

export interface ServedGallery {
  /** The page's URL, without a query. */
  readonly address: string;
  close(): Promise<void>;
}

export async function buildGallery(outDir: string): Promise<void> {
  await runBuild(gallery(outDir), 'production');
}

/** Serves a gallery that {@link buildGallery} has built, on a free port. */
export async function serveGallery(outDir: string): Promise<ServedGallery> {
  const server = await preview({
    configFile: false,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
    logLevel: 'warn',
  });
  return {
    address: new URL('src/gallery/index.html', server.resolvedUrls?.local[0]).href,
    close: () => server.close(),
  };
}
