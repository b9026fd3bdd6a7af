/* global notes, latchkey, importScripts */
// Firefox has loaded them already: see "background" in manifest.json.
if (typeof importScripts === 'function') importScripts('notes.js', 'vendor/latchkey/worker.js');

latchkey.startWorker(({ onSession }) => {
  onSession((user) => void browser.action.setBadgeText({ text: user === null ? '' : '✓' }));
});

// The extension's own listener answers every message, as an async one always does.
browser.runtime.onMessage.addListener(async (message) =>
  message === 'how-many-notes' ? notes : 'no such message',
);
