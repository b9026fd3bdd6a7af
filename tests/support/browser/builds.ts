// Builds the extension once for each configuration that a run of the tests needs, and the gallery once.

import { createHash } from 'node:crypto';
import { access, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { inject } from 'vitest';
import { buildExtension, runBuild } from '../../../tools/build.ts';
import { parseConfig } from '../../../tools/build/read-config.ts';
import { emptyFeature, gallery } from '../../../tools/build/settings.ts';
import { openTestFolder } from './run-folder.ts';

/** The feature that is built in: none, the one of the tests, that of docs/sample, or src/feature. */
export type FeatureChoice = 'none' | 'sample' | 'complete' | 'own';

const root = resolve(import.meta.dirname, '../../..');

/** The feature's folder. `folder` is an empty one, for a feature that has to be copied. */
const featureDirs: Readonly<Record<FeatureChoice, (folder: string) => Promise<string> | string | undefined>> =
  {
    none: () => emptyFeature,
    sample: () => resolve(root, 'tests/support/sample-feature'),
    complete: copyComplete,
    own: () => undefined,
  };

/** The sample, as if the folder were the project. */
async function copyComplete(folder: string): Promise<string> {
  const feature = join(folder, 'src/feature');
  await mkdir(join(folder, 'src'), { recursive: true });
  for (const shared of ['node_modules', 'src/bridge']) {
    await symlink(join(root, shared), join(folder, shared), 'junction');
  }
  await cp(join(root, 'docs/sample/feature'), feature, { recursive: true });
  return feature;
}

/** The address of a server on this computer. Its port has five digits, like all ports that tests get. */
const address = /(?<=\/\/(?:localhost|127\.0\.0\.1):)\d{5}\b/g;
/** Ports from here on belong to no server of a test: systems give lower ones. */
const firstStandIn = 65_100;

/**
 * Returns a build of the extension for `config`, which is the test's own. Each test has other ports, and a build takes a second. So
 * the extension is built once in a run, for placeholder ports, and copies of that build get the real ones.
 */
export async function copyBuild(config: object, feature: FeatureChoice): Promise<string> {
  const text = JSON.stringify(config);
  const ports = [...new Set(text.match(address))];
  const standIn = (port: string) => String(firstStandIn + ports.indexOf(port));
  const copy = await openTestFolder('extension-');
  await cp(await build(text.replace(address, standIn), feature), copy, { recursive: true });
  for (const name of await readdir(copy, { recursive: true })) {
    if (!/\.(?:js|json|html)$/.test(name)) continue;
    const file = join(copy, name);
    const content = await readFile(file, 'utf8');
    await writeFile(
      file,
      content.replace(address, (port) => ports[Number(port) - firstStandIn] ?? port),
    );
  }
  return copy;
}

function build(config: string, feature: FeatureChoice): Promise<string> {
  return makeOnce([config, feature], async (staging) => {
    const outDir = join(staging, 'extension');
    const featureDir = await featureDirs[feature](join(staging, 'project'));
    const built = parseConfig(config, 'config.json');
    await buildExtension({ browser: inject('browserName'), outDir, config: built, featureDir });
    return outDir;
  });
}

/** Builds the gallery for production once in a run, and returns the folder. */
export function buildGalleryOnce(): Promise<string> {
  return makeOnce(['gallery'], async (staging) => {
    const outDir = join(staging, 'gallery');
    await runBuild(gallery(outDir), 'production');
    return outDir;
  });
}

/** Fills a folder elsewhere and moves it in one step. Another worker that needs the same waits meanwhile. */
async function makeOnce(key: readonly string[], make: (staging: string) => Promise<string>): Promise<string> {
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  const folder = join(inject('runFolder'), name);
  const staging = `${folder}-making`;
  while (!(await isThere(folder))) {
    if (!(await isMine(staging))) {
      await pass(20);
      continue;
    }
    try {
      // Another worker may have made it just before.
      if (!(await isThere(folder))) await rename(await make(staging), folder);
    } finally {
      await rm(staging, { recursive: true });
    }
  }
  return folder;
}

/** Creates the folder. Returns false if another worker has it. */
function isMine(folder: string): Promise<boolean> {
  return mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
