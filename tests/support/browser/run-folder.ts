// One folder for everything that a run of the browser tests writes: the builds that the tests share, and a folder for
// each worker, with its browsers' profiles and temporary files.

import { mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';

const workerName = /^worker-(\d+)$/;

/** How long to wait for the workers. Vitest waits 10 s for a teardown. */
const timeoutMs = 5_000;

/** Creates the folder of a run. The path is short: a socket's path may have about 100 bytes. */
export function createRunFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'latchkey-run-'));
}

/** Returns this worker's folder, which is removed with the folder of the run. */
export function openWorkerFolder(): string {
  const folder = join(inject('runFolder'), `worker-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Creates a folder for a test, which is removed after it. */
export async function openTestFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(openWorkerFolder(), prefix));
  onTestFinished(() => rm(folder, removal));
  return folder;
}

/** A browser that was killed may write for another moment. */
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/**
 * Removes the folder of a run. First waits at most 5 s until no worker of the run is left, because Vitest calls the
 * teardown while the last workers, and with them their browsers, are still ending.
 */
export async function removeRunFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  const workers = names.flatMap((name) => workerName.exec(name)?.[1] ?? []).map(Number);
  const deadlineMs = performance.now() + timeoutMs;
  while (workers.some(isProcess) && performance.now() < deadlineMs) await pass(20);
  await rm(folder, removal);
}

function isProcess(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false; // There is no such process, or none of ours.
  }
}
