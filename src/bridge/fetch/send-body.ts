// Sends the body of a response from the worker to the page, in chunks and within the page's credit.

import type { Port } from './port.ts';
import { windowBytes, type Bytes } from './protocol.ts';
import type { Reading } from './reading.ts';

export type Credit = ReturnType<typeof createCredit>;

/**
 * Creates the credit of one response: how many bytes the page accepts. It starts with a full window. While it is used
 * up, `reading` rests.
 */
export function createCredit(reading: Reading) {
  let available = windowBytes;
  let wake: () => void = () => undefined;

  return {
    /** Adds credit from the page. Returns false for an invalid number, or for more than the page can have read. */
    add(bytes: unknown): boolean {
      if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 1) return false;
      available += bytes;
      if (available > 0) wake();
      return available <= windowBytes;
    },
    /**
     * Waits until there is any credit, and takes `bytes` of it. A chunk is sent whole, so it may take more than there is.
     * Never resolves once the page has gone.
     */
    async take(bytes: number): Promise<void> {
      if (available <= 0) {
        reading.rest();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        reading.wait();
      }
      available -= bytes;
    },
  };
}

/**
 * Sends `body` to `port` in chunks, as `credit` allows. Resolves at the end of the body, and rejects if the body fails.
 * Cancels the body when `signal` aborts, which means that the page has gone.
 */
export async function sendBody(
  body: ReadableStream<Bytes>,
  credit: Credit,
  port: Pick<Port, 'postMessage'>,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  // The page has gone, so there is nobody to report a failed cancel to.
  const cancel = () => void reader.cancel().catch(() => undefined);
  if (signal.aborted) return cancel();
  signal.addEventListener('abort', cancel, { once: true });

  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value.byteLength === 0) continue;
      await credit.take(value.byteLength);
      // The whole buffer behind a view is transferred. Others may use the rest of it.
      const chunk = value.byteLength === value.buffer.byteLength ? value : value.slice();
      port.postMessage(chunk, [chunk.buffer]);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
