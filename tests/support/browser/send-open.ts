// The command that every page sends, from any page of the extension in a browser.

import type { Reply } from '../../../src/session/commands.ts';

interface PageGlobals {
  readonly browser: {
    readonly runtime: {
      getBackgroundPage(): Promise<{
        latchkey(request: object, transfer: [], receive: (message: object) => void): unknown;
      }>;
      /** Firefox alone has it. */
      readonly getBrowserInfo?: unknown;
    };
  };
}

/**
 * Sends `open` a number of times at once. To be evaluated in a page: it uses nothing of this file, and has no functions
 * in variables, which the compiler wraps in a helper that the page does not have.
 */
export async function sendOpen(
  times: number,
): Promise<{ readonly replies: readonly Reply[]; readonly tookMs: number }> {
  const startedAtMs = performance.now();
  const { runtime } = (globalThis as unknown as PageGlobals).browser;
  const isWindow = runtime.getBrowserInfo !== undefined;
  const window = isWindow ? await runtime.getBackgroundPage() : null;
  const worker = isWindow ? null : (await navigator.serviceWorker.ready).active;
  // This lock isn't held, so the worker believes that the page has gone, but still carries out its command.
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
