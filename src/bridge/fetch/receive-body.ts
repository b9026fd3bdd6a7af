// The body of a response, on the page. Received bytes wait here until the page reads them, and only then may the worker
// send more; so a body of any size needs a buffer of fixed size.

import { windowBytes, type Bytes } from './protocol.ts';

/** A response body that is being received. */
export interface ReceivedBody {
  readonly stream: ReadableStream<Bytes>;
  /** Adds the next chunk. Returns false if it is empty or there was no credit for it, which breaks the protocol. */
  receive(chunk: Bytes): boolean;
  /** Marks the body as complete. Bytes that have not been read yet can still be read. */
  end(): void;
  /** Fails the stream with `error` and discards unread bytes. */
  fail(error: unknown): void;
  /** The error that the stream failed with, or null. */
  failure(): { readonly error: unknown } | null;
}

/** Removes the listener of a signal whose body was collected. */
const collected = new FinalizationRegistry((removeListener: () => void) => removeListener());

/**
 * Calls `onAbort` when `signal` aborts, and returns a function that removes the listener. The signal does not keep
 * `onAbort` alive: a page may use one signal for all its requests, and must not keep the bodies that it drops unread.
 */
function listenWeakly(signal: AbortSignal, onAbort: () => void): () => void {
  const reference = new WeakRef(onAbort);
  const listener = () => reference.deref()?.();
  const removeListener = () => signal.removeEventListener('abort', listener);
  signal.addEventListener('abort', listener);
  collected.register(onAbort, removeListener, onAbort);
  return removeListener;
}

/**
 * Starts receiving a body. Calls `grantCredit` with the number of further bytes that the worker may send, and `cancel`
 * if the reader cancels before the body is complete. The stream fails with the reason of `signal` if that aborts before
 * the body has been read to its end.
 */
export function receiveBody(
  signal: AbortSignal,
  grantCredit: (bytes: number) => void,
  cancel: () => void,
): ReceivedBody {
  let status: 'arriving' | 'arrived' = 'arriving';
  let failure: { error: unknown } | null = null;
  let creditBytes = windowBytes;
  let controller!: ReadableByteStreamController; // Set by `start`, which the constructor of the stream calls.

  const onAbort = () => fail(signal.reason);
  const removeListener = listenWeakly(signal, onAbort);
  // The stream calls this, and so keeps `onAbort` alive as long as somebody can read it.
  const ignoreSignal = () => {
    removeListener();
    collected.unregister(onAbort);
  };
  const fail = (error: unknown) => {
    ignoreSignal();
    failure = { error };
    controller.error(error);
  };
  /** The window minus the bytes that wait to be read. */
  const freeBytes = () => controller.desiredSize ?? 0;
  const closeWhenRead = () => {
    if (freeBytes() < windowBytes) return;
    ignoreSignal();
    try {
      controller.close();
      // A BYOB reader waits until its buffer is returned.
      controller.byobRequest?.respond(0);
    } catch {
      // The reader reads elements of several bytes, and the last one is incomplete. The stream has failed by itself.
    }
  };

  const stream = new ReadableStream(
    {
      type: 'bytes',
      start(given) {
        controller = given;
      },
      // Called after each read.
      pull() {
        if (status === 'arrived') {
          closeWhenRead();
          return;
        }
        const readBytes = freeBytes() - creditBytes;
        // Saves a message for every few bytes.
        if (readBytes < windowBytes / 2) return;
        creditBytes += readBytes;
        grantCredit(readBytes);
      },
      cancel() {
        ignoreSignal();
        if (status === 'arriving') cancel();
      },
    },
    { highWaterMark: windowBytes },
  );

  return {
    stream,
    receive(chunk) {
      if (creditBytes <= 0 || chunk.byteLength === 0) return false;
      creditBytes -= chunk.byteLength;
      controller.enqueue(chunk);
      return true;
    },
    end() {
      status = 'arrived';
      closeWhenRead();
    },
    fail,
    failure: () => failure,
  };
}
