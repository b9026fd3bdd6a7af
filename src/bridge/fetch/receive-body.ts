// The body of an answer as a page reads it: what has arrived waits here, and the worker may send more of it only
// as it is read, so that a body of any size passes through a window of fixed size.

import { windowBytes, type Bytes } from './protocol.ts';

export interface ReceivedBody {
  readonly stream: ReadableStream<Bytes>;
  /** Takes the next piece. False for one that there was no leave to send. */
  receive(chunk: Bytes): boolean;
  /** Nothing more will come. What has come can still be read. */
  end(): void;
  /** Breaks the body off, with what has come and has not been read. */
  fail(error: unknown): void;
  /** What it broke off with, if it did. */
  failure(): { readonly error: unknown } | null;
}

/**
 * A body that is still to arrive. It calls `grant` with the bytes that the worker may send beyond those it had
 * leave to send, `cancel` when the reader wants no more while more is to come, and fails when `signal` aborts
 * before it has been read to its end.
 */
export function receiveBody(
  signal: AbortSignal,
  grant: (bytes: number) => void,
  cancel: () => void,
): ReceivedBody {
  let status: 'arriving' | 'arrived' = 'arriving';
  let failure: { error: unknown } | null = null;
  let mayCome = windowBytes;
  let controller!: ReadableByteStreamController; // Set by `start`, which is called before the stream is there.

  const onAbort = () => fail(signal.reason);
  const forget = () => signal.removeEventListener('abort', onAbort);
  const fail = (error: unknown) => {
    forget();
    failure = { error };
    controller.error(error);
  };
  /** How many bytes can still be taken before those that wait to be read fill the window. */
  const room = () => controller.desiredSize ?? 0;
  const closeWhenRead = () => {
    if (room() < windowBytes) return;
    forget();
    try {
      controller.close();
      // A reader that brought memory of its own waits until it is given back.
      controller.byobRequest?.respond(0);
    } catch {
      // It wanted numbers of several bytes, and there were too few for the last. The stream has told it so.
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
        const freed = room() - mayCome;
        // Not for every few bytes a message.
        if (freed < windowBytes / 2) return;
        mayCome += freed;
        grant(freed);
      },
      cancel() {
        forget();
        if (status === 'arriving') cancel();
      },
    },
    { highWaterMark: windowBytes },
  );
  signal.addEventListener('abort', onAbort);

  return {
    stream,
    receive(chunk) {
      mayCome -= chunk.byteLength;
      if (mayCome < 0 || chunk.byteLength === 0) return false;
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
