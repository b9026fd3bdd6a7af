// The page's half of a feature's fetch: sends the request to the worker over a port, and returns an ordinary Response.

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
 * Creates a `fetch` for pages whose requests the worker makes, with the token attached. `connect` opens a port to the
 * worker.
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
 * of which more than 1 MB is unread: nothing tells such a response from one that was dropped. Cancel a body that is not
 * wanted any more.
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

/** Sends one request over a port of its own, and closes the port when the response is complete. */
function exchange(connect: () => Port, request: Request, requestMessage: RequestMessage): Promise<Response> {
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
      // No effect if the promise has already resolved with a response.
      reject(error);
    };
    const onHead = (head: HeadMessage) => {
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
        onHead(message);
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
              'The worker stopped before it responded. Repeat the request only if the server may receive it twice.',
            )
          : new TypeError('The connection to the worker was lost in the middle of the response.'),
      );
    // Reads the signal through `request` to keep the request alive: in Node its signal stops working once the request
    // has been garbage-collected.
    const onAbort = () => fail(request.signal.reason);

    port.onMessage.addListener(onMessage);
    port.onDisconnect.addListener(onDisconnect);
    signal.addEventListener('abort', onAbort);
    post(requestMessage);
  });
}

function expectPort(connect: () => Port): Port {
  try {
    return connect();
  } catch {
    // The browsers' error texts differ, but there is only one reason why our own page cannot connect.
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
  return new TypeError('The worker sent a message that this page cannot read. Reload this page.');
}
