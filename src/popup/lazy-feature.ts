// Loads the feature when it is mounted, and again when the person asks for it.

import { lazy } from 'react';
import type { MountedFeature } from './feature-context.ts';

/**
 * Returns a function that creates the feature, to be called once for each try. A browser may remember that a module
 * could not be loaded, and then only a new page helps: if a further try fails as well, it calls `reload`.
 */
export function createLazyFeature(
  load: () => Promise<MountedFeature>,
  reload: () => void,
): () => MountedFeature {
  let hasFailed = false;
  return () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        if (hasFailed) reload();
        hasFailed = true;
        throw error;
      }
    });
}
