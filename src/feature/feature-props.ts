// The props that Latchkey passes to a feature. They never contain a token.

import type { FeatureConnection } from '../bridge/fetch/connect-feature.ts';
import type { Profile } from '../session/view.ts';

/**
 * The props of the feature on a page: `Feature.tsx`, mounted while a user is signed in. In addition to `user`, they are `fetch`,
 * `requestScope` and `requestStepUp`.
 */
export interface FeatureProps extends FeatureConnection {
  /**
   * The signed-in user, from the provider's verified claims. Identify them by `providerId`, `subject` and, if there is
   * one, `issuer`. `user.claims` has the claims that `profileClaims` of the configuration lists: for what a page shows, because
   * only your API can decide what someone may do.
   */
  readonly user: Profile;
}

/** The argument of the feature's background code, `worker.ts`. */
export interface FeatureWorkerProps {
  /** The same `fetch` as on a page. After the worker's start it waits until the stored session has been read. */
  readonly fetch: typeof fetch;
  /**
   * Calls `listener` with the signed-in user, or with null if there is none: once the stored session has been read,
   * and after each change of user.
   */
  readonly onSession: (listener: (user: Profile | null) => void) => void;
  /**
   * Calls `listener` with each scope that the signed-in user has granted after a page called `requestScope`. From then
   * on `fetch` sends a token with that scope. The popup is closed at that moment.
   */
  readonly onGrant: (listener: (scope: string) => void) => void;
}
