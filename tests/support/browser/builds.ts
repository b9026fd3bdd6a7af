// The extension as it ships, built once for each configuration that a run of the tests asks for.

import { createHash } from 'node:crypto';
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';
import { buildExtension } from '../../../tools/build.ts';

const sampleFeature = resolve(import.meta.dirname, '../sample-feature');

/** The folder of the build for `config`. Whoever changes something in it works on a copy. */
export async function buildOnce(config: object, feature: 'none' | 'sample'): Promise<string> {
  const browser = inject('browserName');
  const builds = inject('buildsFolder');
  const text = JSON.stringify(config);
  const name = createHash('sha256')
    .update(JSON.stringify([text, feature]))
    .digest('hex');
  const folder = join(builds, name);
  if (await isThere(folder)) return folder;

  // Built elsewhere and moved in one step: another worker may build the same at the same time.
  const staging = await mkdtemp(join(builds, 'building-'));
  const configPath = join(staging, 'config.json');
  await writeFile(configPath, text);
  await buildExtension({
    browser,
    outDir: join(staging, 'extension'),
    configPath,
    featureDir: feature === 'sample' ? sampleFeature : undefined,
  });
  await rename(join(staging, 'extension'), folder).catch(async (error: unknown) => {
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
