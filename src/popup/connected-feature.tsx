// The feature, connected to the worker. The popup imports this file lazily, so it loads after the first paint.

import Feature from '../feature/Feature.tsx';
import type { SessionObserver } from '../bridge/session/observer.ts';
import { connect } from './connect.tsx';

export default (observer: SessionObserver) => connect(Feature, observer);
