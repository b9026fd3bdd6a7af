// The command that every page sends, from any page of the extension in a browser.

import type { Reply } from '../../../src/session/commands.ts';

/** The worker's window in Firefox. */
interface WorkerWindow {
  latchkey(request: object, transfer: [], receive: (message: object) => void): unknown;
}

/**
 * Sends `open` a number of times at once. To be evaluated in a page: it uses nothing of this file, and has no functions
 * in variables, which the compiler wraps in a helper that the page does not have.
 */
export async function sendOpen(
  times: number,
): Promise<{ readonly replies: readonly Reply[]; readonly tookMs: number }> {
  const startedAtMs = performance.now();
  // Firefox alone has it.
  const isWindow = 'getBrowserInfo' in chrome.runtime;
  const window = isWindow ? ((await chrome.runtime.getBackgroundPage()) as unknown as WorkerWindow) : null;
  const worker = isWindow ? null : (await navigator.serviceWorker.ready).active;
  // The worker takes the page for one that has gone, because this lock isn't held, and still carries out its command.
  const latchkey = { to: 'command', page: 'nobody', content: { type: 'open' } };
  const replies = await Promise.all(
    Array.from(
      { length: times },
      () =>
        new Promise<Reply>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', ({ data }: MessageEvent<object>) => {
            if ('ok' in data) resolve(data as Reply);
          });
          port1.start();
          worker?.postMessage({ latchkey }, [port2]);
          window?.latchkey(latchkey, [], (message) => {
            if ('ok' in message) resolve({ ...message } as Reply);
          });
        }),
    ),
  );
  return { replies, tookMs: performance.now() - startedAtMs };
}
