// The sample feature's half in the worker: it notes whom it was told of, and what came of the requests that a page
// has it make.

import { browser } from '../../../src/bridge/browser.ts';
import type { FeatureWorkerProps } from '../../../src/feature/feature-props.ts';

export default function startFeature({ fetch, onSession }: FeatureWorkerProps): void {
  let noting = Promise.resolve();
  const note = (told: string) => {
    noting = noting.then(async () => {
      const { sample } = await browser.storage.local.get({ sample: [] as string[] });
      await browser.storage.local.set({ sample: [...(sample as string[]), told] });
    });
  };
  onSession((user) => note(user?.subject ?? 'nobody'));
  browser.runtime.onMessage.addListener((message: unknown) => {
    // Nobody waits for an answer to the message, because that would keep the worker running.
    if (isRequest(message))
      void fetch(message.sample)
        .then((response) => response.text(), String)
        .then(note);
    return undefined;
  });
}

function isRequest(message: unknown): message is { readonly sample: string } {
  return typeof message === 'object' && message !== null && 'sample' in message;
}
