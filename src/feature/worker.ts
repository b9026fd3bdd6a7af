// The feature's half in the worker. It is empty: put yours here.

import type { FeatureWorkerProps } from './feature-props.ts';

/**
 * Called each time the worker starts, before the event that started it is dispatched. Register listeners (alarms,
 * context menu, keyboard shortcuts) at once, not after an `await`. The browser stops the worker after about 30 s
 * without an event, so keep lasting state in storage, not in variables.
 *
 *     export default function startFeature({ fetch, onSession }: FeatureWorkerProps): void {
 *       onSession((user) => (user === null ? stopAlarm() : startAlarm()));
 *       onAlarm(async () => showUnread(await fetch('https://api.example/unread')));
 *     }
 */
export default function startFeature(_props: FeatureWorkerProps): void {}
