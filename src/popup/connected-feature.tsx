// The team's feature with all that it gets, in a piece of the bundle that is loaded after the popup has been painted.

import { connectFeature } from '../bridge/fetch/connect-feature.ts';
import type { SessionObserver } from '../bridge/session/observer.ts';
import Feature from '../feature/Feature.tsx';
import type { Profile } from '../session/session.ts';

export function toConnectedFeature(observer: SessionObserver) {
  const connection = connectFeature(observer);
  return function ConnectedFeature({ user }: { readonly user: Profile }) {
    return <Feature user={user} {...connection} />;
  };
}
