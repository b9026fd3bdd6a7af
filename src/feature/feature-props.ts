// What a feature gets from Latchkey. Never a token.

import type { FeatureConnection } from '../bridge/fetch/connect-feature.ts';
import type { Profile } from '../session/session.ts';

/** The feature's half on a page: `Feature.tsx`, mounted while somebody is signed in. */
export interface FeatureProps extends FeatureConnection {
  /** Who is signed in, as the provider's verified claims name them. The key of a person is provider and subject. */
  readonly user: Profile;
}

/** The feature's half in the worker: `worker.ts`. */
export interface FeatureWorkerProps {
  /** As on a page. It waits until it is known who is signed in. */
  readonly fetch: typeof fetch;
  /**
   * Calls `listener` with whoever is signed in, as soon as that is known, and again whenever it is another person,
   * or null: nobody any more.
   */
  readonly onSession: (listener: (user: Profile | null) => void) => void;
}
