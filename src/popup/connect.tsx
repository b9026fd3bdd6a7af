// Connects a feature to the worker.

import type { ComponentType } from 'react';
import { connectFeature } from '../bridge/fetch/connect-feature.ts';
import type { SessionObserver } from '../bridge/session/observer.ts';
import type { FeatureProps } from '../feature/feature-props.ts';
import type { MountedFeature } from './page.ts';

/** The feature as a component that needs only the user. */
export function connect(Feature: ComponentType<FeatureProps>, observer: SessionObserver): MountedFeature {
  const connection = connectFeature(observer);
  return function ConnectedFeature({ user }) {
    return <Feature user={user} {...connection} />;
  };
}
