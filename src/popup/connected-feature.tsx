// Connects the feature to the worker. The popup imports this file lazily, so it loads after the first paint.

import Feature from '../feature/Feature.tsx';
import type { ComponentType } from 'react';
import { connectFeature } from '../bridge/fetch/connect-feature.ts';
import type { SessionObserver } from '../bridge/session/observer.ts';
import type { FeatureProps } from '../feature/feature-props.ts';
import type { Profile } from '../session/view.ts';

/** A feature may take fewer props than it is given, or none. */
const Mounted: ComponentType<FeatureProps> = Feature;

/** The feature as a component that needs only the user. */
export function toConnectedFeature(observer: SessionObserver) {
  const connection = connectFeature(observer);
  return function ConnectedFeature({ user }: { readonly user: Profile }) {
    return <Mounted user={user} {...connection} />;
  };
}
