import { startWorker } from 'latchkey/worker';
import browser from 'webextension-polyfill';

startWorker(({ onSession }) => {
  onSession((user) => void browser.action.setBadgeText({ text: user === null ? '' : '✓' }));
});

// The extension's own listeners stay as they are.
browser.runtime.onMessage.addListener((message: unknown) =>
  message === 'how-many-notes' ? Promise.resolve(3) : undefined,
);
