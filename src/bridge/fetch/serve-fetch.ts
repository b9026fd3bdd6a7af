// The worker's side of a feature's fetch: receives a request from a page, makes it with the token attached, and sends the
// response as the page reads it.

import { close } from '../line/line.ts';
import type { Serve } from '../line/serve-lines.ts';
import {
  parseRequest,
  read,
  type Bytes,
  type FailureMessage,
  type HeadMessage,
  type RequestMessage,
  type WorkerMessage,
} from './protocol.ts';
import { FetchRefused } from './errors.ts';

/** Makes a request with the token attached. Rejects as `fetch` does, or with {@link FetchRefused}. */
export type AuthorizedFetch = (request: Request) => Promise<Response>;

/** Keeps the worker running until `work` has settled. */
type KeepAlive = (work: Promise<unknown>) => void;

/**
 * How long a response that isn't read to its end keeps the worker running. A program that still needs it has read on by then, and
 * nothing tells us that a program has dropped it.
 */
const maxRestMs = 5 * 60_000;

/**
 * Serves the requests of features. Errors are sent to the page. When the page is gone, or says that its request is over, the
 * request is aborted and the response's body is canceled.
 *
 * A request keeps the worker running until it has ended, except while its response waits to be read: before the first read, and
 * five minutes after each one, the browser may stop the worker, which fails the body.
 */
export function serveFetches(authorizedFetch: AuthorizedFetch, keepAlive: KeepAlive): Serve {
  return (message, postMessage) => {
    const post: (message: WorkerMessage) => void = postMessage;
    const request = parseRequest(message);
    if (request === null) {
      post(unreadable);
      return () => undefined;
    }
    const ended = new AbortController();
    const holdWorker = createHold(keepAlive);
    let body: ReadableStreamDefaultReader<Bytes> | null = null;

    const end = () => {
      ended.abort();
      // A failed cancel can't be reported to anyone.
      body?.cancel().catch(() => undefined);
      holdWorker(0);
    };
    const fail = (failure: FailureMessage) => {
      if (!ended.signal.aborted) post(failure);
      end();
    };
    const respond = async () => {
      const response = await authorizedFetch(toRequest(request, ended.signal));
      body = toBody(response)?.getReader() ?? null;
      if (ended.signal.aborted) return end();
      post(toHead(response, body !== null));
      if (body === null) end();
      else holdWorker(0);
    };
    const sendChunk = async (reader: ReadableStreamDefaultReader<Bytes>) => {
      holdWorker(Infinity);
      for (;;) {
        const { done, value } = await reader.read();
        if (ended.signal.aborted) return;
        if (done) {
          post({ type: 'end' });
          return end();
        }
        if (value.byteLength === 0) continue;
        holdWorker(maxRestMs);
        // The whole buffer behind a view is transferred. Others may use the rest of it.
        const chunk = value.byteLength === value.buffer.byteLength ? value : value.slice();
        return postMessage(chunk, [chunk.buffer]);
      }
    };
    const orFail = (work: Promise<void>) => void work.catch((error: unknown) => fail(toFailure(error)));

    holdWorker(Infinity);
    orFail(respond());
    return (told) => {
      if (ended.signal.aborted) return;
      if (told === close) end();
      else if (told === read && body !== null) orFail(sendChunk(body));
      else fail(unreadable);
    };
  };
}

/** Returns a function that keeps the worker running for `forMs` from its last call on, or no longer if that is 0. */
function createHold(keepAlive: KeepAlive): (forMs: number) => void {
  let release: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    release?.();
    release = null;
  };
  return (forMs) => {
    clearTimeout(timer);
    if (forMs === 0) return end();
    if (release === null) keepAlive(new Promise<void>((resolve) => (release = resolve)));
    if (forMs < Infinity) timer = setTimeout(end, forMs);
  };
}

function toRequest({ url, ...init }: RequestMessage, signal: AbortSignal): Request {
  return new Request(url, { ...init, credentials: 'omit', signal });
}

/**
 * Browsers give a fetched Response a body even if its status allows none, but the constructor of Response, which the
 * page uses, throws on such a body.
 */
function toBody({ status, body }: Response): ReadableStream<Bytes> | null {
  return [0, 204, 205, 304].includes(status) ? null : body;
}

function toHead(response: Response, hasBody: boolean): HeadMessage {
  const { status, statusText, headers, url, redirected, type: responseType } = response;
  return { type: 'head', status, statusText, headers: [...headers], url, redirected, responseType, hasBody };
}

const unreadable: FailureMessage = {
  type: 'failed',
  reason: null,
  message: 'The page sent a message that the worker cannot read. Reload the page.',
};

/** Passes on only the class of a foreign error, because its text may quote its input, such as a header with a token. */
function toFailure(thrown: unknown): FailureMessage {
  if (thrown instanceof FetchRefused) {
    return { type: 'failed', reason: thrown.reason, message: thrown.message };
  }
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  const message =
    name === 'TypeError'
      ? 'The request failed: the server could not be reached, or the connection was lost.'
      : `The request failed in the worker with an unexpected error: ${name}.`;
  return { type: 'failed', reason: null, message };
}
