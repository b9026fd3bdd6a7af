import { startWorker } from 'latchkey/worker';
import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';

export default defineBackground(() => {
  startWorker(({ onSession }) => {
    onSession((user) => void browser.action.setBadgeText({ text: user === null ? '' : '✓' }));
  });

  // The extension's own listeners stay as they are.
  browser.runtime.onMessage.addListener((message, _sender, reply) => {
    if (message === 'how-many-notes') reply(3);
  });
});
