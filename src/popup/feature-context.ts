// The feature as the popup mounts it. The product gives the one that is connected to the worker.

import { createContext, type ComponentType } from 'react';
import type { Profile } from '../session/session.ts';

export const FeatureContext = createContext<ComponentType<{ readonly user: Profile }>>(() => null);
