// The inputs of a development build, apart from the source that Vite watches: the configuration and manifest.json.

import { unwatchFile, watchFile } from 'node:fs';
import { resolve } from 'node:path';
import { toManifest } from '../src/config/manifest.ts';
import { createQueue } from '../src/concurrency/queue.ts';
import type { BrowserName } from './browser/browsers.ts';
import { toConfigPath } from './build/read-config.ts';
import { readVersionedManifest } from './build/read-manifest.ts';
import { type OnStop, toMessage } from './command.ts';
import { type Demonstrated, readDemonstrated } from './demo.ts';

const root = resolve(import.meta.dirname, '..');

export interface Inputs extends Demonstrated {
  /** The manifest that follows from both files. */
  readonly manifest: object;
}

/** Reads both files. Throws an Error that names the file, if one is invalid. */
export function readInputs(browser: BrowserName): Inputs {
  const demonstrated = readDemonstrated();
  return { ...demonstrated, manifest: toManifest(readVersionedManifest(), demonstrated.config, browser) };
}

export interface InputChanges<Value> {
  /** Throws if the inputs are invalid. */
  read(): Value;
  /** Uses new inputs. */
  use(inputs: Value): Promise<void>;
  log(line: string): void;
}

/**
 * Makes a function to call whenever the inputs may have changed. It reads them and uses them if they are others than the
 * last. Invalid inputs, such as a file that is half written, are logged once and change nothing.
 */
export function followChanges<Value>(
  first: Value,
  { read, use, log }: InputChanges<Value>,
): () => Promise<void> {
  const queue = createQueue();
  let used = JSON.stringify(first);
  let problem: string | null = null;

  function readValid(): Value | null {
    try {
      const inputs = read();
      problem = null;
      return inputs;
    } catch (error) {
      const message = toMessage(error);
      if (message !== problem) log(`${message}\nThe extension stays as it is until you correct that.`);
      problem = message;
      return null;
    }
  }

  return () =>
    queue(async () => {
      const inputs = readValid();
      const text = JSON.stringify(inputs);
      if (inputs === null || text === used) return;
      used = text;
      try {
        await use(inputs);
      } catch (error) {
        log(`${toMessage(error)}\nStop this command and start it again.`);
      }
    });
}

/** Calls `onChange` after each change of the two files, also where an editor replaces the file. */
export function watchInputs(onStop: OnStop, onChange: () => void): void {
  const files = [toConfigPath(), 'manifest.json'];
  for (const file of files) {
    const path = resolve(root, file);
    watchFile(path, { interval: 300 }, onChange);
    onStop(async () => unwatchFile(path, onChange));
  }
}
