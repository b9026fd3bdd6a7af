// Connects the feature to the worker. The popup imports this file lazily, so it loads after the first paint.

/** The feature as a component that needs only the user. */
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
