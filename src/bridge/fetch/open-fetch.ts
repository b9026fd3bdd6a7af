// The page's half of a feature's fetch: sends the request to the worker, and returns an ordinary Response.

import { over, type Line } from '../line.ts';
import { isBytes, parseWorkerMessage, read, type FailureMessage, type HeadMessage } from './protocol.ts';
import { receiveBody, type ReceivedBody } from './receive-body.ts';
import { FetchRefused } from './errors.ts';
import { createLife, createWatch, type Locks, type Watch } from './life.ts';
import { readRequest } from './request.ts';
import { toResponse } from './response.ts';

/** Generous: the worker accepts a request before it does anything for it. */
const acceptTimeoutMs = 10_000;

/**
 * Creates a `fetch` for pages whose requests the worker makes, with the token attached. `findLine` resolves with the
 * line to the worker, which a request wakes; it rejects if there is none.
 *
 * It accepts the arguments of the standard `fetch`. Of the request's options it honours `method`, `headers`, `body`,
 * `cache`, `redirect`, `integrity` and `signal`. `credentials` is always `omit`. `mode`, `referrer`, `referrerPolicy`,
 * `keepalive`, `priority` and `duplex` have no effect, because the worker makes the request and ends it when the page
 * closes.
 *
 * It rejects like the standard `fetch`: with a TypeError for an invalid request or a network error, and with the
 * signal's reason. It also rejects with {@link FetchRefused}: `body-too-large` for a body of more than 32 MB, which
 * is read completely before it is sent; `worker-lost` if the worker cannot be reached or stops before it responds;
 * and any reason with which the worker itself refuses. If the worker stops in the middle of a response, its body fails
 * with a TypeError, as after a lost connection. The browser may stop it five minutes after the last read of a response
 * of which more than 4 MB is unread: nothing tells such a response from one that was dropped. Cancel a body that is not
 * wanted any more.
 */
export function openFetch(findLine: () => Promise<Line>, locks: Locks): typeof fetch {
  const watch = createWatch(locks);
  const life = createLife(locks);
  return async (input, init) => {
    const { request, body } = await readRequest(input, init);
    request.signal.throwIfAborted();
    const { url, method, headers, cache, redirect, integrity } = request;
    const settings = { url, method, headers: [...headers], body, cache, redirect, integrity };
    return exchange(request, watch, async (onMessage) => {
      const [line, page] = await Promise.all([findLine(), life()]);
      request.signal.throwIfAborted();
      return line({ page, ...settings }, body === null ? [] : [body.buffer], onMessage);
    });
  };
}

/**
 * Makes one exchange with the worker. `send` sends the request, and resolves with what sends further messages. It rejects if it
 * cannot.
 */
function exchange(
  request: Request,
  watch: Watch,
  send: (onMessage: (message: unknown) => void) => Promise<(message: string) => void>,
): Promise<Response> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    let body: ReceivedBody | null = null;
    let unwatch: () => void = () => undefined;

    const tell = (message: string) => void sent.then((post) => post?.(message));
    const close = () => {
      clearTimeout(timer);
      unwatch();
      signal.removeEventListener('abort', onAbort);
      tell(over);
    };
    const fail = (error: unknown) => {
      close();
      body?.fail(error);
      // No effect if the promise has already resolved with a response.
      reject(error);
    };
    const onHead = (head: HeadMessage) => {
      if (head.hasBody) body = receiveBody(signal, () => tell(read), close);
      try {
        resolve(toResponse(head, body));
      } catch {
        fail(unreadable());
        return;
      }
      if (!head.hasBody) close();
    };
    const onMessage = (data: unknown) => {
      if (isBytes(data)) {
        if (body === null || !body.receive(data)) fail(unreadable());
        return;
      }
      const message = parseWorkerMessage(data);
      if (message?.type === 'refused' || message?.type === 'failed') {
        fail(toError(message));
      } else if (message?.type === 'accepted') {
        clearTimeout(timer);
        unwatch = watch(message.worker, onGone);
      } else if (message?.type === 'head' && body === null) {
        onHead(message);
      } else if (message?.type === 'end' && body !== null) {
        close();
        body.end();
      } else {
        fail(unreadable());
      }
    };
    const onGone = () => fail(body === null ? workerLost(stopped) : new TypeError(brokenOff));
    // Reads the signal through `request` to keep the request alive: in Node its signal stops working once the request
    // has been garbage-collected.
    const onAbort = () => fail(request.signal.reason);

    const timer = setTimeout(onGone, acceptTimeoutMs);
    signal.addEventListener('abort', onAbort);
    // The browsers' errors differ, but there is only one reason why our own page cannot reach the worker.
    const sent = Promise.resolve(onMessage)
      .then(send)
      .catch(() => void fail(workerLost(unreachable)));
  });
}

function toError(failure: FailureMessage): Error {
  if (failure.type === 'refused') return new FetchRefused(failure.reason, failure.message);
  return failure.name === 'AbortError'
    ? new DOMException(failure.message, failure.name)
    : new TypeError(failure.message);
}

function workerLost(message: string): FetchRefused {
  return new FetchRefused('worker-lost', message);
}

const unreachable =
  'The worker cannot be reached, because the extension was updated or switched off. Reload this page.';
const stopped =
  'The worker stopped before it responded. Repeat the request only if the server may receive it twice.';
const brokenOff = 'The connection to the worker was lost in the middle of the response.';

function unreadable(): TypeError {
  return new TypeError('The worker sent a message that this page cannot read. Reload this page.');
}
