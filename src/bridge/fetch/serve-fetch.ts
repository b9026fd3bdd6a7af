// The worker's half of a feature's fetch: takes a request from a port, has it made with the token attached, and
// streams the answer back, never more of it than the page has given credit for.

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
import { createCredit, sendBody } from './send-body.ts';
import { isOwnPage, type OwnRuntime } from '../own-page.ts';

/** Keeps the worker running until `work` has settled. */
export type KeepAlive = (work: Promise<unknown>) => void;

/** Makes a request with the token attached. Throws as `fetch` does, or {@link FetchRefused}. */
export type AuthorizedFetch = (request: Request) => Promise<Response>;

/**
 * The worker's listener for `runtime.onConnect`: serves the ports that pages of this extension open for a request,
 * closes those that anybody else opens, and leaves ports of other names alone.
 */
export function serveFetches(
  runtime: OwnRuntime,
  authorizedFetch: AuthorizedFetch,
  keepAlive: KeepAlive,
): (port: Port) => void {
  return (port) => {
    if (port.name !== fetchPortName) return;
    if (isOwnPage(runtime, port.sender ?? {})) keepAlive(serveFetch(port, authorizedFetch));
    else port.disconnect();
  };
}

/**
 * Serves the one request of `port`. Resolves when it is over, and never rejects: what goes wrong is told to the
 * page. When the page disconnects the request is aborted and the body of its answer cancelled.
 */
export function serveFetch(port: Port, authorizedFetch: AuthorizedFetch): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const credit = createCredit();
    let status: 'waiting' | 'answering' = 'waiting';

    const end = () => {
      port.onMessage.removeListener(onMessage);
      port.onDisconnect.removeListener(end);
      over.abort();
      resolve();
    };
    const post = (message: WorkerMessage | Bytes) => {
      if (over.signal.aborted) return;
      try {
        port.postMessage(message);
      } catch {
        // The page has gone. Had it not, it would have to hear of this.
        port.disconnect();
        end();
      }
    };
    const fail = (failure: FailureMessage) => {
      post(failure);
      end();
    };
    const answer = async (message: RequestMessage) => {
      try {
        const response = await authorizedFetch(toRequest(message, over.signal));
        const body = bodyOf(response);
        post(toHead(response, body !== null));
        if (body !== null) {
          await sendBody(body, credit, post, over.signal);
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
        status = 'answering';
        void answer(message);
      } else if (message?.type !== 'credit' || !credit.add(message.bytes)) {
        fail({
          type: 'failed',
          name: 'TypeError',
          message: 'The worker cannot read what the page sent to it.',
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

/** The browsers give an answer a body whose status does not allow one, and allow none to a Response made by hand. */
function bodyOf({ status, body }: Response): ReadableStream<Bytes> | null {
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

/** Of a foreign error only its class is told: its text may quote what it was given, a header with a token too. */
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
        message: 'The request failed: the server could not be reached, or the connection to it broke.',
      };
    default:
      return { type: 'failed', name: 'TypeError', message: `The worker failed at the request: ${name}.` };
  }
}
