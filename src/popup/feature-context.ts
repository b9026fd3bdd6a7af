// Provides the feature to the component that mounts it, so that tests and the gallery can pass another one.

import { createContext, type ComponentType } from 'react';
import type { Profile } from '../session/session.ts';

/** The feature as a component that needs only the user. */
export type MountedFeature = ComponentType<{ readonly user: Profile }>;

/**
 * Creates the feature to mount, anew for each try: a lazy component remembers for ever that it could not be loaded. The
 * popup passes the one connected to the worker.
 */
export const FeatureContext = createContext<() => MountedFeature>(() => () => null);
