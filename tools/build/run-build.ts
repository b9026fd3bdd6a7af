// Runs a build of Vite in a mode.

import { build, type InlineConfig } from 'vite';
import { createQueue } from '../../src/concurrency/queue.ts';

const queue = createQueue();

/**
 * Builds with `settings`. Builds run one at a time: Vite and React read the mode from `NODE_ENV`, which belongs to the whole
 * process and gets its value back afterwards.
 */
export function runBuild(settings: InlineConfig, mode: 'development' | 'production'): Promise<void> {
  return queue(async () => {
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = mode;
    try {
      await build({ ...settings, configFile: false, mode, logLevel: 'warn' });
    } finally {
      if (before === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = before;
    }
  });
}
