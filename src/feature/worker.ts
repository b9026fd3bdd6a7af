// The feature's half in the background. It is empty: make it yours.

import type { FeatureWorkerProps } from './feature-props.ts';

/**
 * Called each time the worker starts, before the event that woke it is told. So register listeners at once and not
 * after an `await`: of alarms, of the context menu, of a keyboard shortcut. The worker is stopped when it has been
 * idle for 30 s, so keep nothing in variables that is still to be there later.
 *
 *     export default function startFeature({ fetch, onSession }: FeatureWorkerProps): void {
 *       onSession((user) => (user === null ? stopAlarm() : startAlarm()));
 *       onAlarm(async () => showUnread(await fetch('https://api.example/unread')));
 *     }
 */
export default function startFeature(_props: FeatureWorkerProps): void {}
