// A worker's life. Each call of the outside world passes through it as a step. Once the life ends, no step begins
// or returns, as in a worker that the browser has killed.

import type { Database, WithDatabase } from '../../src/background/record/database.ts';
import type { Environment } from '../../src/oidc/http.ts';
import { deferred } from './deferred.ts';

export class Life {
  /** The steps of all lives in this process. */
  static steps = 0;
  /** The steps so far: each call counts once before it begins and once before it returns. */
  steps = 0;
  private over = false;
  private readonly death = deferred<void>();
  /** Resolves when the life ends. */
  readonly ended = this.death.promise;
  private readonly lastStep: number;

  constructor(lastStep = Infinity) {
    this.lastStep = lastStep;
  }

  /** Whether the life has ended. */
  isOver(): boolean {
    return this.over;
  }

  end(): void {
    this.over = true;
    this.death.resolve();
  }

  /** Resolves, or never if this was the last step. */
  private step(): Promise<void> {
    this.steps += 1;
    Life.steps += 1;
    if (this.steps >= this.lastStep) this.end();
    return this.over ? new Promise(() => undefined) : Promise.resolve();
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

export function toMortalWorld(world: Environment, life: Life): Environment {
  return { ...world, fetch: (url, init) => life.run(() => world.fetch(url, init)) };
}

export function toMortalDatabase(withDatabase: WithDatabase, life: Life): WithDatabase {
  const mortal = new WeakMap<Database, Database>();
  return (use) =>
    life.run(() =>
      withDatabase((database) => {
        const known = mortal.get(database) ?? toMortalConnection(database, life);
        mortal.set(database, known);
        return use(known);
      }),
    );
}

/** A connection that begins nothing more when the life has ended. What has begun is written, as in a browser. */
const toMortalConnection = (database: Database, life: Life) =>
  new Proxy(database, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...parameters: readonly unknown[]) => {
        // The caller's step never returns, so this goes unseen.
        if (life.isOver()) throw new Error('The worker is dead.');
        return Reflect.apply(member, target, parameters) as unknown;
      };
    },
  });
