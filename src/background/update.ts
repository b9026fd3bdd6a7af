// Applies an update of the extension: the browser offers it, and it takes effect when the extension is reloaded.

import type { Tasks } from './session/tasks.ts';

export interface UpdateParts {
  readonly tasks: Pick<Tasks, 'isIdle' | 'onIdle'>;
  readonly isPageOpen: () => Promise<boolean>;
  /** Whether a reload, which empties the memories of the worker and of the browser, loses nothing. */
  readonly isHarmless: () => Promise<boolean>;
  readonly reload: () => void;
}

/**
 * A function to be called when the browser offers an update. It reloads the extension as soon as no work is under way, no page
 * of the extension is open, and a reload is harmless. It looks again whenever the last work has ended, which includes each
 * command and each request of a page; no timer runs. If this worker doesn't get to apply the update, the browser does: Chromium
 * once the worker and all pages have stopped, and both browsers when they start.
 */
export function createUpdate({ tasks, isPageOpen, isHarmless, reload }: UpdateParts): () => void {
  let isOffered = false;

  const apply = async () => {
    if (!isOffered || (await isPageOpen()) || !(await isHarmless())) return;
    // Work may have begun meanwhile, and this runs again at its end. Another run may have been faster.
    if (!isOffered || !tasks.isIdle()) return;
    isOffered = false;
    reload();
  };
  // If the browser fails, the update waits for the next chance.
  const tryToApply = () => void apply().catch(() => undefined);

  tasks.onIdle(tryToApply);
  return () => {
    isOffered = true;
    if (tasks.isIdle()) tryToApply();
  };
}
