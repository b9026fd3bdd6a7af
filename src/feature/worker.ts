// The feature's background code. It's empty: put yours here.

import type { FeatureWorkerProps } from './feature-props.ts';

/**
 * Called each time the worker starts, before the event that started it is dispatched. Register listeners (alarms,
 * context menu, keyboard shortcuts) at once, not after an `await`. The browser stops the worker after about 30 s
 * without an event, so keep lasting state in storage, not in variables.
 *
 *     import { browser } from '../bridge/browser.ts';
 *
 *     export default function startFeature({ fetch, onSession }: FeatureWorkerProps): void {
 *       onSession((user) => console.log(user?.subject ?? 'No one is signed in.'));
 *       browser.alarms.onAlarm.addListener(() => void fetch('https://api.example/unread').then(store, console.error));
 *     }
 *
 * docs/feature-reference.md says what it may use.
 */
export default function startFeature(_props: FeatureWorkerProps): void {}
