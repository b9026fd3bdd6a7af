// Runs the demo provider and the build that follows the source, for `npm run dev`, and starts them again with new inputs.

import type { Config, Provider } from '../src/config/config.ts';
import type { Demonstrated } from './demo.ts';

export interface DevelopmentParts {
  /** Starts the demo provider. */
  startDemo(demo: Provider): Promise<{ readonly close: () => Promise<void> }>;
  /** Builds, and builds again whenever the source changes. Resolves with a function that ends that. */
  follow(config: Config): Promise<() => Promise<void>>;
}

export interface Development {
  /** Begins with these inputs, in place of the last ones. Resolves after the first build. */
  use(inputs: Demonstrated): Promise<void>;
  /** Ends the build. The demo provider goes on. */
  stop(): Promise<void>;
}

export function createDevelopment({ startDemo, follow }: DevelopmentParts): Development {
  let running: { readonly demo: Provider; readonly close: () => Promise<void> } | null = null;
  let stopFollowing: (() => Promise<void>) | null = null;

  async function stop(): Promise<void> {
    const ending = stopFollowing;
    stopFollowing = null;
    await ending?.();
  }

  return {
    stop,
    async use({ config, demo }) {
      await stop();
      // Only if it has another port or redirect URI: it forgets who is signed in.
      if (demo?.issuer !== running?.demo.issuer || demo?.id !== running?.demo.id) {
        await running?.close();
        running = null;
      }
      if (demo !== null) running ??= { demo, close: (await startDemo(demo)).close };
      stopFollowing = await follow(config);
    },
  };
}
