// Builds the pages of `floors`, with which ours are compared: a static one, and one line in React.

import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { runBuild } from '../build.ts';

/** Builds a page, `popup.html`, as a production build that will be at `base` of an extension. */
export function buildFloor(name: 'static' | 'react', outDir: string, base: string): Promise<void> {
  const root = resolve(import.meta.dirname, 'floors', name);
  const build = {
    outDir,
    emptyOutDir: true,
    target: 'chrome148',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [join(root, 'popup.html')] },
  };
  return runBuild({ root, base, plugins: [react()], build }, 'production');
}
