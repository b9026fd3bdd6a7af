// The sample feature's half in the worker: records each user it is given, and the results of the requests that a page
// asks for.

import { browser } from '../../../src/bridge/browser.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';

export default function startFeature({ fetch, onSession }: FeatureWorkerProps): void {
  let recording = Promise.resolve();
  const record = (entry: string) => {
    recording = recording.then(async () => {
      const { sample } = await browser.storage.local.get({ sample: [] as string[] });
      await browser.storage.local.set({ sample: [...(sample as string[]), entry] });
    });
  };
  onSession((user) => record(user?.subject ?? 'no one'));
  browser.runtime.onMessage.addListener((message: unknown) => {
    // Sends no reply, because waiting for one would keep the worker running.
    if (isRequest(message))
      void fetch(message.sample)
        .then((response) => response.text(), String)
        .then(record);
    return undefined;
  });
}

function isRequest(message: unknown): message is { readonly sample: string } {
  return typeof message === 'object' && message !== null && 'sample' in message;
}
