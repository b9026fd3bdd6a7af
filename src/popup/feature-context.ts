// Provides the feature to the component that mounts it, so that tests and the gallery can pass another one.

/** The feature to mount. The popup passes the one connected to the worker. */
import { createContext, type ComponentType } from 'react';
import type { Profile } from '../session/session.ts';

export const FeatureContext = createContext<ComponentType<{ readonly user: Profile }>>(() => null);
