// Builds the extension once for each configuration that a run of the tests needs, and the gallery once.

import { createHash } from 'node:crypto';
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';
import { buildExtension } from '../../../tools/build.ts';
import { emptyFeature } from '../../../tools/build/settings.ts';
import { buildGallery } from '../../../tools/gallery.ts';

/** The feature that is built in: none, the one of the tests, or the one in src/feature. */
export type FeatureChoice = 'none' | 'sample' | 'own';

const featureDirs: Readonly<Record<FeatureChoice, string | undefined>> = {
  none: emptyFeature,
  sample: resolve(import.meta.dirname, '../sample-feature'),
  own: undefined,
};

/** Builds the extension for `config` once in a run, and returns the folder. A test that changes a build copies it first. */
export function buildOnce(config: object, feature: FeatureChoice): Promise<string> {
  const text = JSON.stringify(config);
  const name = createHash('sha256')
    .update(JSON.stringify([text, feature]))
    .digest('hex');
  return makeOnce(name, async (staging) => {
    const configPath = join(staging, 'config.json');
    const outDir = join(staging, 'extension');
    await writeFile(configPath, text);
    await buildExtension({
      browser: inject('browserName'),
      outDir,
      configPath,
      featureDir: featureDirs[feature],
    });
    return outDir;
  });
}

/** Builds the gallery for production once in a run, and returns the folder. */
export function buildGalleryOnce(): Promise<string> {
  return makeOnce('gallery', async (staging) => {
    const outDir = join(staging, 'gallery');
    await buildGallery(outDir);
    return outDir;
  });
}

/** Fills a folder elsewhere and moves it in one step, because another worker may do the same at the same time. */
async function makeOnce(name: string, make: (staging: string) => Promise<string>): Promise<string> {
  const folder = join(inject('runFolder'), name);
  if (await isThere(folder)) return folder;
  const staging = await mkdtemp(join(inject('runFolder'), 'building-'));
  const made = await make(staging);
  await rename(made, folder).catch(async (error: unknown) => {
    if (!(await isThere(folder))) throw error;
  });
  await rm(staging, { recursive: true });
  return folder;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
