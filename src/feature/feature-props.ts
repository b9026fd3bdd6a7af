// What a feature gets from Latchkey. Never a token.

import type { Profile } from '../session/session.ts';

export interface FeatureProps {
  /** Who is signed in, as the provider's verified claims name them. The key of a person is provider and subject. */
  readonly user: Profile;
}
