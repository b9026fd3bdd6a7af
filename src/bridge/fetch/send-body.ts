// Sends the body of a response from the worker to the page, in chunks and within the page's credit.

import { maxChunkBytes, windowBytes, type Bytes } from './protocol.ts';
import type { Reading } from './reading.ts';

/** How many bytes the page currently accepts. */
export interface Credit {
  /** Adds credit from the page. Returns false if that exceeds the window: the page has granted more than it read. */
  add(bytes: number): boolean;
  /** Waits for credit and takes up to `wanted` bytes. Never resolves once the page has gone. */
  take(wanted: number): Promise<number>;
}

/** Creates the credit of one response. It starts with a full window. While it is used up, `reading` rests. */
export function createCredit(reading: Reading): Credit {
  let available = windowBytes;
  let wake: () => void = () => undefined;

  return {
    add(bytes) {
      available += bytes;
      wake();
      return available <= windowBytes;
    },
    async take(wanted) {
      if (available === 0) {
        reading.rest();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        reading.wait();
      }
      const taken = Math.min(wanted, available);
      available -= taken;
      return taken;
    },
  };
}

/**
 * Sends `body` in chunks, as `credit` allows. Resolves at the end of the body, and rejects if the body fails. Cancels
 * the body when `signal` aborts, which means that the page has gone.
 */
export async function sendBody(
  body: ReadableStream<Bytes>,
  credit: Credit,
  post: (chunk: Bytes) => void,
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
      for (let sent = 0; sent < value.byteLength;) {
        const bytes = await credit.take(Math.min(value.byteLength - sent, maxChunkBytes));
        // Copies a part of a larger buffer, because a message carries the whole buffer behind a view.
        post(bytes === value.buffer.byteLength ? value : value.slice(sent, sent + bytes));
        sent += bytes;
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
