// Serves the gallery of the popup's faces to this computer, as pages of the web.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { gallery } from './build/settings.ts';

export interface ServedGallery {
  /** Ends in a slash; `index.html` and `face.html` are there. */
  readonly address: string;
  close(): Promise<void>;
}

/** Builds the gallery and serves it at a free port. */
export async function serveGallery(): Promise<ServedGallery> {
  const outDir = await mkdtemp(join(tmpdir(), 'latchkey-gallery-'));
  const remove = () => rm(outDir, { recursive: true, force: true });
  try {
    await build({ ...gallery(outDir), configFile: false, mode: 'production', logLevel: 'warn' });
    const server = await preview({
      configFile: false,
      build: { outDir },
      preview: { host: '127.0.0.1', port: 0 },
      logLevel: 'warn',
    });
    return {
      address: new URL('src/gallery/', server.resolvedUrls?.local[0]).href,
      async close() {
        await server.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
