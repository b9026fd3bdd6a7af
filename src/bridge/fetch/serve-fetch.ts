// The worker's half of a feature's fetch: receives a request over a port, makes it with the token attached, and streams
// the response back within the page's credit.

import {
  fetchPortName,
  parsePageMessage,
  type Bytes,
  type FailureMessage,
  type HeadMessage,
  type Port,
  type RequestMessage,
  type WorkerMessage,
} from './protocol.ts';
import { FetchRefused } from './errors.ts';
import { createReading, type KeepAlive } from './reading.ts';
import { createCredit, sendBody } from './send-body.ts';
import { isOwnPage, type OwnRuntime } from '../own-page.ts';

/** Makes a request with the token attached. Rejects as `fetch` does, or with {@link FetchRefused}. */
export type AuthorizedFetch = (request: Request) => Promise<Response>;

/**
 * Creates the worker's listener for `runtime.onConnect`. It serves request ports from this extension's own pages,
 * closes those from any other sender, and ignores ports of other names.
 */
export function serveFetches(
  runtime: OwnRuntime,
  authorizedFetch: AuthorizedFetch,
  keepAlive: KeepAlive,
): (port: Port) => void {
  return (port) => {
    if (port.name !== fetchPortName) return;
    if (isOwnPage(runtime, port.sender ?? {})) void serveFetch(port, authorizedFetch, keepAlive);
    else port.disconnect();
  };
}

/**
 * Serves the one request of `port`. Resolves when the request has ended, and never rejects: errors are sent to the
 * page. When the page disconnects, aborts the request and cancels the response body.
 *
 * The request keeps the worker running until it has ended, with one exception: if the page has used up its credit and
 * reads nothing more for five minutes, the browser may stop the worker, which fails the body.
 */
export function serveFetch(
  port: Port,
  authorizedFetch: AuthorizedFetch,
  keepAlive: KeepAlive,
): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const reading = createReading(keepAlive);
    const credit = createCredit(reading);
    let status: 'waiting' | 'responding' = 'waiting';

    const end = () => {
      port.onMessage.removeListener(onMessage);
      port.onDisconnect.removeListener(end);
      ended.abort();
      reading.end();
      resolve();
    };
    const post = (message: WorkerMessage | Bytes) => {
      if (ended.signal.aborted) return;
      try {
        port.postMessage(message);
      } catch {
        // Usually the page has gone already. If not, the disconnect tells it that the request has failed.
        port.disconnect();
        end();
      }
    };
    const fail = (failure: FailureMessage) => {
      post(failure);
      end();
    };
    const respond = async (message: RequestMessage) => {
      try {
        const response = await authorizedFetch(toRequest(message, ended.signal));
        const body = toBody(response);
        post(toHead(response, body !== null));
        if (body !== null) {
          await sendBody(body, credit, post, ended.signal);
          post({ type: 'end' });
        }
        end();
      } catch (error) {
        fail(toFailure(error));
      }
    };
    const onMessage = (received: unknown) => {
      const message = parsePageMessage(received);
      if (message?.type === 'request' && status === 'waiting') {
        status = 'responding';
        reading.wait();
        void respond(message);
      } else if (message?.type !== 'credit' || !credit.add(message.bytes)) {
        fail({
          type: 'failed',
          name: 'TypeError',
          message: 'The page sent a message that the worker cannot read. Reload the page.',
        });
      }
    };
    port.onMessage.addListener(onMessage);
    port.onDisconnect.addListener(end);
  });
}

function toRequest(message: RequestMessage, signal: AbortSignal): Request {
  const { url, method, headers, body, cache, redirect, integrity } = message;
  return new Request(url, {
    method,
    headers,
    body,
    cache,
    redirect,
    integrity,
    credentials: 'omit',
    signal,
  });
}

/**
 * Browsers give a fetched Response a body even if its status allows none, but the constructor of Response, which the
 * page uses, throws on such a body.
 */
function toBody({ status, body }: Response): ReadableStream<Bytes> | null {
  return [0, 204, 205, 304].includes(status) ? null : body;
}

function toHead(response: Response, hasBody: boolean): HeadMessage {
  const { status, statusText, headers, url, redirected, type } = response;
  return {
    type: 'head',
    status,
    statusText,
    headers: [...headers],
    url,
    redirected,
    responseType: type,
    hasBody,
  };
}

/** Passes on only the class of a foreign error, because its text may quote its input, such as a header with a token. */
function toFailure(thrown: unknown): FailureMessage {
  if (thrown instanceof FetchRefused) {
    return { type: 'refused', reason: thrown.reason, message: thrown.message };
  }
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  switch (name) {
    case 'AbortError':
      return { type: 'failed', name, message: 'The worker aborted the request.' };
    case 'TypeError':
      return {
        type: 'failed',
        name,
        message: 'The request failed: the server could not be reached, or the connection was lost.',
      };
    default:
      return {
        type: 'failed',
        name: 'TypeError',
        message: `The request failed in the worker with an unexpected error: ${name}.`,
      };
  }
}
