// Builds the extension once for each configuration that a run of the tests needs, and the gallery once.

import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';
import { buildExtension } from '../../../tools/build.ts';
import { emptyFeature } from '../../../tools/build/settings.ts';
import { buildGallery } from '../../../tools/gallery.ts';
import { blockFor, blockUnder } from '../first-hour/documented.ts';

/** The feature that is built in: none, the one of the tests, the one of docs/feature.md, or the one in src/feature. */
export type FeatureChoice = 'none' | 'sample' | 'documented' | 'own';

const root = resolve(import.meta.dirname, '../../..');

/** The feature's folder. `folder` is an empty one, for a feature that has to be written. */
const featureDirs: Readonly<Record<FeatureChoice, (folder: string) => Promise<string> | string | undefined>> =
  {
    none: () => emptyFeature,
    sample: () => resolve(root, 'tests/support/sample-feature'),
    documented: writeDocumented,
    own: () => undefined,
  };

/** Writes the feature whose worker asks the API at an alarm, as if `folder` were the project. Returns its folder. */
async function writeDocumented(folder: string): Promise<string> {
  const document = 'docs/feature.md';
  const feature = join(folder, 'src/feature');
  await mkdir(feature, { recursive: true });
  for (const shared of ['node_modules', 'src/bridge']) {
    await symlink(join(root, shared), join(folder, shared), 'junction');
  }
  for (const file of ['api.ts', 'worker.ts']) {
    await writeFile(join(feature, file), blockFor(document, `src/feature/${file}`));
  }
  await writeFile(join(feature, 'Feature.tsx'), blockUnder(document, "A page and the worker's half", 'tsx'));
  return feature;
}

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
    const featureDir = await featureDirs[feature](join(staging, 'project'));
    await buildExtension({ browser: inject('browserName'), outDir, configPath, featureDir });
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
