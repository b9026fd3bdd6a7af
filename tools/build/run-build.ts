// Runs a build of Vite in a mode.

import { build, type InlineConfig } from 'vite';
import { createQueue } from '../../src/concurrency.ts';

/** A demonstration says in the empty feature area where the feature goes. It's what production is otherwise. */
export type BuildMode = 'production' | 'demonstration';

const queue = createQueue();

/**
 * Builds with `settings`. Builds run one at a time, because Vite and React read `NODE_ENV`, which belongs to the whole process.
 * It gets its value back afterwards.
 */
export function runBuild(settings: InlineConfig, mode: BuildMode): Promise<void> {
  return queue(async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      await build({ ...settings, configFile: false, mode, logLevel: 'warn' });
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    }
  });
}
