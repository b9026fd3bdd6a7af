// The sample feature's half in the worker: it notes whom it was told of, and fetches what a page asks it to.

import { browser } from '../../src/bridge/browser.ts';
import type { FeatureWorkerProps } from '../../src/feature/feature-props.ts';

export default function startFeature({ fetch, onSession }: FeatureWorkerProps): void {
  let noting: Promise<void> = Promise.resolve();
  const note = (told: string) => {
    noting = noting.then(async () => {
      const { sample = [] } = (await browser.storage.local.get('sample')) as { readonly sample?: string[] };
      await browser.storage.local.set({ sample: [...sample, told] });
    });
  };
  onSession((user) => note(user?.subject ?? 'nobody'));

  // In Chromium and Firefox alike an answer is a promise; undefined leaves the message to others.
  browser.runtime.onMessage.addListener((message: unknown) =>
    isQuestion(message) ? fetch(message.sample).then((response) => response.text(), String) : undefined,
  );
}

function isQuestion(message: unknown): message is { readonly sample: string } {
  return typeof message === 'object' && message !== null && 'sample' in message;
}
