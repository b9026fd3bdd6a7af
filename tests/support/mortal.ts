// A worker's life. Each call of the outside world passes through it as a step. When the life ends, no step begins
// any more and no running step returns, as in a worker that the browser has killed.

import type { WithDatabase } from '../../src/background/vault/database.ts';
import type { WorkerBrowser } from '../../src/background/worker.ts';
import type { World } from '../../src/oidc/exchange.ts';

export class Life {
  /** The steps so far: each call counts once before it begins and once before it returns. */
  steps = 0;
  /** Resolves when the life ends. */
  readonly ended: Promise<void>;
  private isOver = false;
  private resolveEnded: () => void = () => undefined;
  private readonly lastStep: number;

  constructor(lastStep = Infinity) {
    this.lastStep = lastStep;
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
  }

  end(): void {
    this.isOver = true;
    this.resolveEnded();
  }

  /** Resolves, or never if this was the last step. */
  private step(): Promise<void> {
    this.steps += 1;
    if (this.steps >= this.lastStep) this.end();
    return this.isOver ? new Promise(() => undefined) : Promise.resolve();
  }

  async run<T>(effect: () => Promise<T>): Promise<T> {
    await this.step();
    try {
      return await effect();
    } finally {
      await this.step();
    }
  }
}

export function toMortalBrowser(browser: WorkerBrowser, life: Life): WorkerBrowser {
  const { identity, windows, storage, action } = browser;
  const toMortalArea = (area: WorkerBrowser['storage']['session']) => ({
    ...area,
    onChanged: area.onChanged,
    get: (key: string) => life.run(() => area.get(key)),
    set: (items: Record<string, unknown>) => life.run(() => area.set(items)),
    remove: (key: string) => life.run(() => area.remove(key)),
  });
  return {
    ...browser,
    // Some browsers have none.
    ...('identity' in browser && {
      identity: {
        ...identity,
        launchWebAuthFlow: (details) => life.run(() => identity.launchWebAuthFlow(details)),
      },
    }),
    windows: {
      ...windows,
      update: (id, changes) => life.run(() => windows.update(id, changes)),
      remove: (id) => life.run(() => windows.remove(id)),
    },
    storage: {
      ...storage,
      local: toMortalArea(storage.local as WorkerBrowser['storage']['session']),
      session: toMortalArea(storage.session),
    },
    action: {
      openPopup: () => life.run(() => action.openPopup()),
      setIcon: (details) => life.run(() => action.setIcon(details)),
      setTitle: (details) => life.run(() => action.setTitle(details)),
      setBadgeText: (details) => life.run(() => action.setBadgeText(details)),
      setBadgeBackgroundColor: (details) => life.run(() => action.setBadgeBackgroundColor(details)),
    },
  };
}

export function toMortalWorld(world: World, life: Life): World {
  return { ...world, fetch: (url, init) => life.run(() => world.fetch(url, init)) };
}

export function toMortalDatabase(withDatabase: WithDatabase, life: Life): WithDatabase {
  return (use) => life.run(() => withDatabase(use));
}
