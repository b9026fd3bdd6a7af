import { browser } from 'latchkey/browser';
import type { FeatureWorkerProps } from 'latchkey/worker';
import { loadTasks } from './api.ts';

/** Called each time the worker starts. Register listeners at once, not after an `await`. */
export default function startFeature({ fetch, onSession }: FeatureWorkerProps): void {
  const count = async () => String((await loadTasks(fetch)).length);
  onSession((user) => {
    const text = user === null ? Promise.resolve('') : count();
    text.then((badge) => browser.action.setBadgeText({ text: badge })).catch(console.error);
  });
}
