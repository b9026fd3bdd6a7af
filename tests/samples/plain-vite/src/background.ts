import { startWorker } from 'latchkey/worker';
import browser from 'webextension-polyfill';

startWorker(({ onSession }) => {
  onSession((user) => void browser.action.setBadgeText({ text: user === null ? '' : '✓' }));
});

// The extension's own listener answers every message, as an async one always does.
browser.runtime.onMessage.addListener(async (message: unknown) =>
  message === 'how-many-notes' ? 3 : 'no such message',
);
