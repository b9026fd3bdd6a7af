// The caller's side of a feature's fetch: sends the request to the worker, and returns an ordinary Response. A feature's background
// code uses it as well.

import { close, type Line, type Loss } from '../line/line.ts';
import {
  isBytes,
  parseWorkerMessage,
  read,
  type Bytes,
  type FailureMessage,
  type HeadMessage,
  maxRequestBytes,
} from './protocol.ts';
import { FetchRefused } from './errors.ts';

/**
 * Creates a `fetch` whose requests the worker makes, with the token attached. `ahead` is how many bytes of a response are
 * read before the feature asks for them.
 *
 * It accepts the arguments of the standard `fetch`. Of the request's options it honors `method`, `headers`, `body`,
 * `cache`, `redirect`, `integrity` and `signal`. `credentials` is always `omit`. `mode`, `referrer`, `referrerPolicy`,
 * `keepalive`, `priority` and `duplex` have no effect, because the worker makes the request and ends it when the page
 * closes.
 *
 * It rejects like the standard `fetch`: with a TypeError for an invalid request or a network error, and with the
 * signal's reason. It also rejects with {@link FetchRefused}: `body-too-large` for a body of more than 32 MB, which
 * is read completely before it is sent; `worker-lost` if the worker can't be reached or stops before it responds;
 * and any reason with which the worker itself refuses. If the worker stops in the middle of a response, its body fails
 * with a TypeError, as after a lost connection. If more than 4 MB of a response is unread, the browser may stop the worker
 * five minutes after the last read, because such a response looks just like one that was dropped. Cancel a body that you no
 * longer need.
 */
export function openFetch(line: Line, ahead = aheadBytes): typeof fetch {
  return async (input, init) => {
    const { request, body } = await readRequest(input, init);
    request.signal.throwIfAborted();
    return exchange(line, request, body, ahead);
  };
}

/** Makes one exchange with the worker. */
function exchange(line: Line, request: Request, sent: Bytes | null, ahead: number): Promise<Response> {
  const { url, method, headers, cache, redirect, integrity, signal } = request;
  return new Promise((resolve, reject) => {
    let body: ReceivedBody | null = null;

    const finish = () => {
      signal.removeEventListener('abort', onAbort);
      post(close);
    };
    const fail = (error: unknown) => {
      finish();
      body?.fail(error);
      // No effect if the promise has already resolved with a response.
      reject(error);
    };
    const onHead = (head: HeadMessage) => {
      if (head.hasBody) {
        // From here on the body listens to the signal.
        signal.removeEventListener('abort', onAbort);
        body = receiveBody(request, () => post(read), finish, ahead);
      }
      try {
        resolve(toResponse(head, body));
      } catch {
        fail(unreadable());
        return;
      }
      if (!head.hasBody) finish();
    };
    const onMessage = (data: unknown) => {
      if (isBytes(data)) {
        if (body === null || !body.receive(data)) fail(unreadable());
        return;
      }
      const message = parseWorkerMessage(data);
      if (message?.type === 'failed') {
        fail(toError(message));
      } else if (message?.type === 'head' && body === null) {
        onHead(message);
      } else if (message?.type === 'end' && body !== null) {
        finish();
        body.end();
      } else {
        fail(unreadable());
      }
    };
    const onLost = (loss: Loss) =>
      fail(body === null ? new FetchRefused('worker-lost', lost[loss]) : new TypeError(brokenOff));
    // Reads the signal through `request` to keep the request alive: in Node its signal stops working once the request
    // has been garbage-collected.
    const onAbort = () => fail(request.signal.reason);

    signal.addEventListener('abort', onAbort);
    const content = { url, method, headers: [...headers], body: sent, cache, redirect, integrity };
    const post = line('fetch', content, sent === null ? [] : [sent.buffer], { onMessage, onLost });
  });
}

function toError({ reason, message }: FailureMessage): Error {
  return reason === null ? new TypeError(message) : new FetchRefused(reason, message);
}

const lost: Readonly<Record<Loss, string>> = {
  unreachable:
    'The worker cannot be reached, because the extension was updated or switched off. Reload this page.',
  stopped:
    'The worker stopped before it responded. Repeat the request only if the server may receive it twice.',
};
const brokenOff = 'The connection to the worker was lost in the middle of the response.';

function unreadable(): TypeError {
  return new TypeError('The worker sent a message that this page cannot read. Reload this page.');
}

/**
 * How many bytes a page reads ahead: a small response ends even if the feature doesn't read it, and a body of any size needs a buffer
 * of fixed size.
 */
export const aheadBytes = 4 * 1024 * 1024;

/** A response body that is being received. */
type ReceivedBody = ReturnType<typeof receiveBody>;

/** Removes the listener of a signal whose body was collected. */
const collected = new FinalizationRegistry((removeListener: () => void) => removeListener());

/**
 * Calls `onAbort` when `signal` aborts, and returns a function that removes the listener. The signal doesn't keep
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
function receiveBody(request: Request, ask: () => void, cancel: () => void, ahead: number) {
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
    /** Adds the next chunk. Returns false if it is empty or wasn't asked for. */
    receive(chunk: Bytes): boolean {
      if (status !== 'asked' || chunk.byteLength === 0) return false;
      status = 'idle';
      controller.enqueue(chunk);
      return true;
    },
    /** Marks the body as complete. Bytes that haven't been read yet can still be read. */
    end() {
      status = 'complete';
      closeWhenRead();
    },
    /** Fails the stream with an error and discards unread bytes. */
    fail,
    /** The error that the stream failed with, or null. */
    failure: () => failure,
  };
}

/**
 * Parses the arguments of `fetch` and reads the body. The body is null if there is none or if it is empty, which are
 * sent alike. Rejects as `fetch` does for an invalid request or an aborted signal, and with {@link FetchRefused}
 * `body-too-large` for a body of more than 32 MB.
 */
async function readRequest(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<{ request: Request; body: Bytes | null }> {
  // COMPAT(Firefox 153): converts a stream to text and sends "[object ReadableStream]". So every browser reads a stream
  // here and passes empty bytes in its place; the Response throws if the stream is locked or disturbed. A Request as the
  // options is left to the platform, because it inherits its members, and a copy would lack them.
  const given = init instanceof Request ? null : init?.body;
  const stream = given instanceof ReadableStream ? new Response(given).body : undefined;
  const request = new Request(input, stream === undefined ? init : { ...init, body: new Uint8Array() });
  request.signal.throwIfAborted();
  // COMPAT(Firefox 153): has no `Request.body`.
  const body = stream ?? (request.body as Request['body'] | undefined);
  const source = body === undefined ? (await request.blob()).stream() : body;
  return { request, body: source === null ? null : await readWhole(source, request.signal) };
}

/** Reads `stream` to its end. Cancels it on any error. */
async function readWhole(stream: ReadableStream<unknown>, signal: AbortSignal): Promise<Bytes | null> {
  const chunks: Bytes[] = [];
  let size = 0;
  const sink = new WritableStream<unknown>({
    write(chunk) {
      if (!isBytes(chunk)) throw new TypeError('The stream contains something other than a Uint8Array.');
      size += chunk.byteLength;
      if (size > maxRequestBytes) {
        throw new FetchRefused(
          'body-too-large',
          `The request body is larger than ${maxRequestBytes} bytes. Send it in parts.`,
        );
      }
      chunks.push(chunk);
    },
  });
  try {
    await stream.pipeTo(sink, { signal });
  } catch (cause) {
    if (signal.aborted || cause instanceof FetchRefused) throw cause;
    throw new TypeError('The request body could not be read: see the cause.', { cause });
  }
  if (size === 0) return null;

  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/**
 * Builds the Response that `head` describes, with `body`. The constructor of Response can't set `url`, `redirected`,
 * `type` and some values of `status`; the Response and its clones have these as own properties. Throws as the
 * constructor does for an invalid head.
 */
function toResponse(head: HeadMessage, body: ReceivedBody | null): Response {
  const { status, statusText, headers, url, redirected, responseType: type } = head;
  const overrides = { url, redirected, type, status };
  // An opaque response has neither headers nor a body, like an error.
  if (status === 0) {
    if (body !== null) throw new TypeError('A response with the status 0 has no body.');
    return withOverrides(Response.error(), overrides, body);
  }
  // The constructor accepts at most 599, but some servers respond with 999.
  const init = { status: Math.min(status, 599), statusText, headers };
  return withOverrides(new Response(body?.stream ?? null, init), overrides, body);
}

const readers = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

function withOverrides(
  response: Response,
  overrides: Partial<Response>,
  body: ReceivedBody | null,
): Response {
  const clone = () => withOverrides(Response.prototype.clone.call(response), overrides, body);
  // COMPAT(Chromium 156, Firefox 153): these replace the stream's error, one browser with a TypeError and the other
  // with an AbortError, which hides whether the connection was lost. Reject with the stream's own error instead.
  const overridden = readers.map((name) => [
    name,
    () =>
      Response.prototype[name].call(response).catch((error: unknown) => {
        const failure = body?.failure() ?? null;
        throw failure === null ? error : failure.error;
      }),
  ]);
  for (const [key, value] of Object.entries({ ...overrides, clone, ...Object.fromEntries(overridden) })) {
    Object.defineProperty(response, key, { value });
  }
  return response;
}
