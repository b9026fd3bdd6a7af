// The body of an answer as the worker sends it: in small pieces, and never more of it than the page has room for.

import { maxChunkBytes, windowBytes, type Bytes } from './protocol.ts';

export interface Credit {
  /** Whether the page may grant so much: never more than it has read. */
  add(bytes: number): boolean;
  /**
   * Waits until something may be sent, and takes of it what is wanted at most. Where the page has gone there is no
   * more, and who waits is forgotten.
   */
  take(wanted: number): Promise<number>;
}

/** What the page gives leave to send: at the start, one window. */
export function createCredit(): Credit {
  let left = windowBytes;
  let wake: () => void = () => undefined;

  return {
    add(bytes) {
      left += bytes;
      wake();
      return left <= windowBytes;
    },
    async take(wanted) {
      if (left === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const taken = Math.min(wanted, left);
      left -= taken;
      return taken;
    },
  };
}

/** Sends `body` in pieces as credit allows. Rejects when it breaks off; when the page has gone, it is cancelled. */
export async function sendBody(
  body: ReadableStream<Bytes>,
  credit: Credit,
  post: (chunk: Bytes) => void,
  gone: AbortSignal,
): Promise<void> {
  const reader = body.getReader();
  // Nobody is left who could be told that cancelling failed.
  const cancel = () => void reader.cancel().catch(() => undefined);
  if (gone.aborted) return cancel();
  gone.addEventListener('abort', cancel);

  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (let sent = 0; sent < value.byteLength;) {
      const bytes = await credit.take(Math.min(value.byteLength - sent, maxChunkBytes));
      // A copy, unless it is the whole: a message carries the entire memory that lies behind a view.
      post(bytes === value.buffer.byteLength ? value : value.slice(sent, sent + bytes));
      sent += bytes;
    }
  }
}
