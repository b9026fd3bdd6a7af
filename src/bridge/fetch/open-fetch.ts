// The page's half of a feature's fetch: a port takes the request to the worker, and what comes back is a Response
// like any other.

import {
  isBytes,
  parseWorkerMessage,
  type FailureMessage,
  type HeadMessage,
  type PageMessage,
  type Port,
  type RequestMessage,
} from './protocol.ts';
import { receiveBody, type ReceivedBody } from './receive-body.ts';
import { FetchRefused } from './errors.ts';
import { readRequest } from './request.ts';
import { toResponse } from './response.ts';

/**
 * A `fetch` for pages that the worker answers, with the token attached. `connect` opens a port to it.
 *
 * It takes what the platform's takes. Of a request's settings `method`, `headers`, `body`, `cache`, `redirect`,
 * `integrity` and `signal` hold. `credentials` is always `omit`; `mode`, `referrer`, `referrerPolicy`, `keepalive`,
 * `priority` and `duplex` mean nothing here, because the request is the worker's and ends with this page.
 *
 * It rejects as the platform's does: with a TypeError for what cannot be a request and for what the network did,
 * and with the signal's reason. Beyond that it rejects with {@link FetchRefused}: `body-too-large` for a body of
 * more than 32 MB, which is read whole before it is sent; `worker-lost` when there is no worker to ask or it went
 * before it answered; and what the worker itself refuses. A body that the worker no longer sends breaks off with a
 * TypeError, as it does when a connection breaks.
 */
export function openFetch(connect: () => Port): typeof fetch {
  return async (input, init) => {
    const { request, body } = await readRequest(input, init);
    const { url, method, headers, cache, redirect, integrity } = request;
    return exchange(connect, request, {
      type: 'request',
      url,
      method,
      headers: [...headers],
      body,
      cache,
      redirect,
      integrity,
    });
  };
}

/** Sends the request over a port of its own, which is closed as soon as there is nothing more to come. */
function exchange(connect: () => Port, request: Request, asked: RequestMessage): Promise<Response> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const port = expectPort(connect);
    let body: ReceivedBody | null = null;

    const post = (message: PageMessage) => {
      try {
        port.postMessage(message);
      } catch {
        onDisconnect();
      }
    };
    const close = () => {
      port.onMessage.removeListener(onMessage);
      port.onDisconnect.removeListener(onDisconnect);
      signal.removeEventListener('abort', onAbort);
      port.disconnect();
    };
    const fail = (error: unknown) => {
      close();
      body?.fail(error);
      // Means nothing once there is a response.
      reject(error);
    };
    const answer = (head: HeadMessage) => {
      if (head.hasBody) body = receiveBody(signal, (bytes) => post({ type: 'credit', bytes }), close);
      try {
        resolve(toResponse(head, body));
      } catch {
        fail(unreadable());
        return;
      }
      if (!head.hasBody) close();
    };
    const onMessage = (received: unknown) => {
      if (isBytes(received)) {
        if (body === null || !body.receive(received)) fail(unreadable());
        return;
      }
      const message = parseWorkerMessage(received);
      if (message?.type === 'refused' || message?.type === 'failed') {
        fail(toError(message));
      } else if (message?.type === 'head' && body === null) {
        answer(message);
      } else if (message?.type === 'end' && body !== null) {
        close();
        body.end();
      } else {
        fail(unreadable());
      }
    };
    const onDisconnect = () =>
      fail(
        body === null
          ? new FetchRefused(
              'worker-lost',
              'The worker stopped before it answered. The request may have reached the server all the same.',
            )
          : new TypeError('The connection to the worker was lost in the middle of the answer.'),
      );
    // Asked of the request, which is kept by this: in Node a signal that outlives its request hears of no abort.
    const onAbort = () => fail(request.signal.reason);

    port.onMessage.addListener(onMessage);
    port.onDisconnect.addListener(onDisconnect);
    signal.addEventListener('abort', onAbort);
    post(asked);
  });
}

function expectPort(connect: () => Port): Port {
  try {
    return connect();
  } catch {
    // The browsers' texts differ and change; there is one reason why a page of ours cannot connect.
    throw new FetchRefused(
      'worker-lost',
      'The worker cannot be reached, because the extension was updated or switched off. Reload this page.',
    );
  }
}

function toError(failure: FailureMessage): Error {
  if (failure.type === 'refused') return new FetchRefused(failure.reason, failure.message);
  return failure.name === 'AbortError'
    ? new DOMException(failure.message, failure.name)
    : new TypeError(failure.message);
}

function unreadable(): TypeError {
  return new TypeError('The worker sent what this page cannot read. Reload this page.');
}
