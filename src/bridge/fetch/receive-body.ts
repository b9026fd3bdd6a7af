// The body of a response, where the feature reads it. On a page it asks for a chunk at a time: a little ahead of the feature, so
// that a small response ends even if the feature doesn't read it, and no further, so that a body of any size needs a buffer of
// fixed size.

import type { Bytes } from './protocol.ts';

/** How many bytes a page reads ahead. */
export const aheadBytes = 4 * 1024 * 1024;

/** A response body that is being received. */
export interface ReceivedBody {
  readonly stream: ReadableStream<Bytes>;
  /** Adds the next chunk. Returns false if it is empty or was not asked for. */
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
 * Starts to receive a body. Calls `ask` for each chunk, after the one before has arrived, and `cancel` if the reader cancels
 * or the signal of `request` aborts before the body is complete. The stream fails with the signal's reason if that aborts before
 * the body has been read to its end. It asks for `ahead` bytes before they are read.
 */
export function receiveBody(
  request: Request,
  ask: () => void,
  cancel: () => void,
  ahead: number,
): ReceivedBody {
  let status: 'idle' | 'asked' | 'complete' = 'idle';
  let failure: { error: unknown } | null = null;
  let controller!: ReadableByteStreamController; // Set by `start`, which the constructor of the stream calls.

  // Keeps the request alive: in Node its signal stops working once the request has been garbage-collected.
  const onAbort = () => {
    fail(request.signal.reason);
    if (status !== 'complete') cancel();
  };
  const removeListener = listenWeakly(request.signal, onAbort);
  // The stream calls this, and so keeps `onAbort` alive as long as a feature can read it.
  const ignoreSignal = () => {
    removeListener();
    collected.unregister(onAbort);
  };
  const fail = (error: unknown) => {
    ignoreSignal();
    failure = { error };
    controller.error(error);
  };
  const closeWhenRead = () => {
    if ((controller.desiredSize ?? 0) < ahead) return;
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
      // Called until enough has been read ahead, and after each read.
      pull() {
        if (status === 'complete') return closeWhenRead();
        if (status === 'asked') return;
        status = 'asked';
        ask();
      },
      cancel() {
        ignoreSignal();
        if (status !== 'complete') cancel();
      },
    },
    { highWaterMark: ahead },
  );

  return {
    stream,
    receive(chunk) {
      if (status !== 'asked' || chunk.byteLength === 0) return false;
      status = 'idle';
      controller.enqueue(chunk);
      return true;
    },
    end() {
      status = 'complete';
      closeWhenRead();
    },
    fail,
    failure: () => failure,
  };
}
