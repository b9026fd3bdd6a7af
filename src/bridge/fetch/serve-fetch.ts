// The worker's half of a feature's fetch: receives a request from a page, makes it with the token attached, and streams
// the response back within the page's credit.

import { createWindowPorts, readLetter, type OtherWindow, type Port } from './port.ts';
import {
  isRequest,
  over,
  parseRequest,
  type Bytes,
  type FailureMessage,
  type HeadMessage,
  type RequestMessage,
  type WorkerMessage,
} from './protocol.ts';
import { FetchRefused } from './errors.ts';
import { createLife, createWatch, type Locks } from './life.ts';
import { createReading, type KeepAlive } from './reading.ts';
import { createCredit, sendBody } from './send-body.ts';
import { isOwnPage, type OwnRuntime } from '../own-page.ts';

/** Makes a request with the token attached. Rejects as `fetch` does, or with {@link FetchRefused}. */
export type AuthorizedFetch = (request: Request) => Promise<Response>;

/** The part of a `message` event that is used here. The browser fills in `origin` and `source`. */
export interface PageEvent {
  readonly data: unknown;
  readonly origin: string;
  /** In Chromium a WindowClient, which has a `url`; in Firefox a window. */
  readonly source: object | null;
  /** In Chromium the worker's end of the channel; empty in Firefox. */
  readonly ports: readonly MessagePort[];
}

/**
 * Creates the listener for the `message` events of the worker's global scope. It serves the requests of this
 * extension's own pages, and ignores all other messages and senders. Errors are sent to the page. When the page says
 * that its request is over, or has gone, the request is aborted and the response's body is cancelled.
 *
 * A request keeps the worker running until it has ended, with one exception: if the page has used up its credit and
 * reads nothing more for five minutes, the browser may stop the worker, which fails the body.
 */
export function serveFetches(
  runtime: OwnRuntime,
  authorizedFetch: AuthorizedFetch,
  keepAlive: KeepAlive,
  locks: Locks,
): (event: PageEvent) => void {
  const watch = createWatch(locks);
  const life = createLife(locks);

  const serve = (port: Port, request: RequestMessage | null) => {
    const ended = new AbortController();
    const reading = createReading(keepAlive);
    const credit = createCredit(reading);

    const post = (message: WorkerMessage) => port.postMessage(message);
    const end = () => {
      port.close();
      ended.abort();
      reading.end();
    };
    const fail = (failure: FailureMessage) => {
      post(failure);
      end();
    };
    // The page has gone, unless the browser has refused the lock.
    const lose = () => fail(unwatched);
    const respond = async (message: RequestMessage) => {
      try {
        const response = await authorizedFetch(toRequest(message, ended.signal));
        const body = toBody(response);
        post(toHead(response, body !== null));
        if (body !== null) {
          await sendBody(body, credit, port, ended.signal);
          post({ type: 'end' });
        }
        end();
      } catch (error) {
        fail(toFailure(error));
      }
    };

    if (request === null) return fail(unreadable);
    port.addEventListener('message', ({ data }) => {
      if (data === over) end();
      else if (!credit.add(data)) fail(unreadable);
    });
    port.start();
    reading.wait();
    ended.signal.addEventListener('abort', watch(request.page, lose), { once: true });
    life().then((worker) => post({ type: 'accepted', worker }), lose);
    void respond(request);
  };

  const windows = createWindowPorts();
  /** Serves the request that a page in another window sends, or hands a message to the one that it belongs to. */
  const receive = (event: PageEvent) => {
    if (windows.receive(event)) return;
    const letter = readLetter(event.data);
    if (letter === null || !isRequest(letter.content)) return;
    const port = windows.open(letter.latchkeyPort, () => event.source as OtherWindow);
    if (port !== null) serve(port, parseRequest(letter.content));
  };

  return (event) => {
    if (!isOwn(runtime, event)) return;
    const [port] = event.ports;
    if (port === undefined) receive(event);
    else if (isRequest(event.data)) serve(port, parseRequest(event.data));
  };
}

/** Whether a message comes from a page of this extension. It has no extension id; the origin tells as much. */
function isOwn(runtime: OwnRuntime, { origin, source }: PageEvent): boolean {
  // Nothing in a window of another origin can be read.
  if (`${origin}/` !== runtime.getURL('') || source === null) return false;
  const { url, location } = source as {
    readonly url?: string;
    readonly location?: { readonly href: string };
  };
  return isOwnPage(runtime, { id: runtime.id, origin, url: url ?? location?.href });
}

function toRequest({ type: _type, page: _page, url, ...init }: RequestMessage, signal: AbortSignal): Request {
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
  name: 'TypeError',
  message: 'The page sent a message that the worker cannot read. Reload the page.',
};

const unwatched: FailureMessage = {
  type: 'failed',
  name: 'TypeError',
  message: 'The worker cannot tell whether this page is open. Repeat the request.',
};

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
