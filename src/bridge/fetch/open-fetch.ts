// The asking half of a feature's fetch: sends the request to the worker, and returns an ordinary Response. The feature's half in the
// worker has it too.

import { close, type Line, type Loss } from '../line/line.ts';
import {
  isBytes,
  parseWorkerMessage,
  read,
  type Bytes,
  type FailureMessage,
  type HeadMessage,
} from './protocol.ts';
import { aheadBytes, receiveBody, type ReceivedBody } from './receive-body.ts';
import { FetchRefused } from './errors.ts';
import { readRequest } from './request.ts';
import { toResponse } from './response.ts';

/**
 * Creates a `fetch` whose requests the worker makes, with the token attached. `ahead` is how many bytes of a response are
 * read before the feature asks for them.
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
        // The body follows the signal from now on.
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
