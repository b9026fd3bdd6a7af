// The setup of a measurement in a browser: a demo provider, a release build of the extension, and the browser with it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { OnStop } from '../command.ts';
import { epochMs } from '../demo-provider/provider.ts';
import type { openExtension } from '../set-up-extension.ts';

export type Scene = Awaited<ReturnType<typeof openExtension>>;

/** Makes a folder that is removed when the command ends. */
export async function makeBenchFolder(onStop: OnStop): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  onStop(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

/** Waits for a scene, passes it to `use`, and closes it afterwards, also if the command is stopped. */
export async function withScene<Result>(
  onStop: OnStop,
  opening: Promise<Scene>,
  use: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  onStop(async () => (await opening.catch(() => null))?.close());
  const scene = await opening;
  try {
    return await use(scene);
  } finally {
    await scene.close();
  }
}

/** Waits for the first request to `path` after the first `from`. */
export async function requestTo({ demo }: Scene, path: string, from: number) {
  for (const endsAtMs = epochMs() + 20_000; epochMs() < endsAtMs;) {
    const found = demo.requests.slice(from).find((request) => request.path === path);
    if (found !== undefined) return found;
    await pass(5);
  }
  throw new Error(`The provider got no request to ${path}.`);
}
